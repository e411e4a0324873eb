"""What a process prints, held within a fixed number of bytes."""


class CappedOutput:
    """Keeps the first and the last half of `limit` bytes; the middle is dropped as it comes."""

    def __init__(self, limit: int) -> None:
        self._half = max(1, limit // 2)
        self._head = bytearray()
        self._tail = bytearray()
        self._total = 0

    def add(self, data: bytes) -> None:
        self._total += len(data)
        room = self._half - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        self._tail += data
        # Trimmed at twice the size only, so that endless output costs no more than it is long.
        if len(self._tail) > 2 * self._half:
            del self._tail[: -self._half]

    def _kept_tail(self) -> bytes:
        return bytes(self._tail[-self._half :])

    @property
    def dropped(self) -> int:
        """Bytes that are no longer there."""
        return self._total - len(self._head) - len(self._kept_tail())

    def text(self) -> str:
        """As UTF-8, what is not UTF-8 replaced; a line says how much is missing, where it is missing."""
        tail = self._kept_tail()
        if not self.dropped:
            return (bytes(self._head) + tail).decode("utf-8", errors="replace")
        head = bytes(self._head)
        # A character that the cut splits is dropped rather than shown as rubbish: at most three bytes on each side.
        for back in range(1, min(4, len(head)) + 1):
            if head[-back] & 0xC0 != 0x80:
                width = 4 if head[-back] >= 0xF0 else 3 if head[-back] >= 0xE0 else 2 if head[-back] >= 0xC0 else 1
                head = head[: len(head) - back] if width > back else head
                break
        skip = 0
        while skip < min(3, len(tail)) and tail[skip] & 0xC0 == 0x80:
            skip += 1
        note = f"\n[... {self.dropped} bytes dropped ...]\n"
        return head.decode("utf-8", errors="replace") + note + tail[skip:].decode("utf-8", errors="replace")
