"""Headless Chromium over its DevTools pipe: as much of a client as the tests of the pages need."""

import base64
import fcntl
import json
import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Any, Self

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
_SECONDS = 40
"""For one reply: a busy machine is slow to start it."""


def _high(descriptor: int) -> int:
    """The same pipe under a number from 10 up, out of the way of 3 and 4."""
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 10)
    os.close(descriptor)
    return moved


class Browser:
    """One browser with one page. What it asks of the network and what its console says is kept."""

    def __init__(self, *arguments: str) -> None:
        assert PROGRAM is not None
        self._profile = tempfile.mkdtemp(prefix="ml-agent-chromium-")
        commands, self._write = map(_high, os.pipe())
        self._read, replies = map(_high, os.pipe())
        # The browser reads its descriptor 3 and writes its 4; a shell moves the pipes there, which is not 3 or 4 here.
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars",
                   "--remote-debugging-pipe", f"--user-data-dir={self._profile}", *arguments]  # fmt: skip
        moved = f'exec 3<&{commands} 4>&{replies} {commands}<&- {replies}>&-; exec "$@"'
        self._process = subprocess.Popen(
            ["bash", "-c", moved, "bash", PROGRAM, *options, "about:blank"],
            pass_fds=(commands, replies), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        os.close(commands)
        os.close(replies)
        self._buffer, self._number, self._session = b"", 0, ""
        self.requests: list[str] = []
        self.console: list[str] = []
        self._loaded = 0
        target = next(one for one in self.call("Target.getTargets")["targetInfos"] if one["type"] == "page")
        self._session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """The result of one command. Events that come before it are taken in."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters} | ({"sessionId": self._session} if self._session else {})
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while (reply := self._next()).get("id") != self._number:
            self._take(reply)
        if "error" in reply:
            raise RuntimeError(f"{method}: {reply['error']}")
        result: dict[str, Any] = reply["result"]
        return result

    def open(self, page: Path, *, width: int = 1440, dark: bool = False, scripts: bool = True, fragment: str = "") -> None:
        """Load a page from disk and wait until it is there."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        scheme = "dark" if dark else "light"
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.call("Emulation.setScriptExecutionDisabled", value=not scripts)
        self.requests.clear()
        self.console.clear()
        self.call("Page.navigate", url="about:blank")  # a page that is there already would only jump to the fragment
        before = self._loaded
        self.call("Page.navigate", url=page.as_uri() + fragment)
        while self._loaded == before or not self.value("document.readyState === 'complete' && location.protocol === 'file:'"):
            self.call("Browser.getVersion")

    def value(self, expression: str) -> Any:
        """What a JavaScript expression comes to in the page, as JSON. Works with the page's own scripts disabled, too."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"])
        return result["result"].get("value")

    def key(self, name: str, code: int, text: str = "") -> None:
        """Press a key."""
        for kind in ("rawKeyDown", "char", "keyUp") if text else ("rawKeyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=code, text=text)

    def screenshot(self, path: Path) -> None:
        """The whole page as a PNG."""
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True)["data"]
        path.write_bytes(base64.b64decode(data))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        os.close(self._write)
        os.close(self._read)
        shutil.rmtree(self._profile, ignore_errors=True)

    def _next(self) -> dict[str, Any]:
        import select

        while b"\0" not in self._buffer:
            if not select.select([self._read], [], [], _SECONDS)[0]:
                raise TimeoutError("the browser does not answer")
            data = os.read(self._read, 1 << 20)
            if not data:
                raise RuntimeError("the browser has ended")
            self._buffer += data
        line, _, self._buffer = self._buffer.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        return message

    def _take(self, event: dict[str, Any]) -> None:
        parameters = event.get("params", {})
        match event.get("method"):
            case "Network.requestWillBeSent":
                self.requests.append(parameters["request"]["url"])
            case "Runtime.consoleAPICalled":
                self.console.append(str(parameters["args"]))
            case "Runtime.exceptionThrown":
                self.console.append(str(parameters["exceptionDetails"]))
            case "Log.entryAdded":
                self.console.append(parameters["entry"]["text"])
            case "Page.loadEventFired":
                self._loaded += 1
