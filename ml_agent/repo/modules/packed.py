"""What a Python file says about itself in plain tuples, as the store keeps it, and back."""

from typing import Any

from ml_agent.repo.modules.definitions import Parameter, Signature
from ml_agent.repo.modules.source import Binding, ClassSource, ModuleSource


def pack(source: ModuleSource) -> Any:
    """In the form that marshal takes."""
    bindings = [(b.name, b.kind, b.line, _signature(b.signature), _class(b.klass), b.origin) for b in source.bindings.values()]
    return bindings, source.stars, source.exported, source.open_ended


def unpack(data: Any) -> ModuleSource:
    """What `pack` was given."""
    bindings, stars, exported, open_ended = data
    found = {
        name: Binding(name, kind, line, _as_signature(signature), _as_class(klass), origin)
        for name, kind, line, signature, klass, origin in bindings
    }
    return ModuleSource(found, stars, exported, open_ended)


def _signature(signature: Signature | None) -> Any:
    return None if signature is None else [(p.name, p.kind, p.default, p.annotation) for p in signature.parameters]


def _as_signature(data: Any) -> Signature | None:
    return None if data is None else Signature(tuple(Parameter(*parameter) for parameter in data))


def _class(klass: ClassSource | None) -> Any:
    if klass is None:
        return None
    return klass.bases, _signature(klass.init), klass.has_init, klass.judgeable, klass.dataclass, klass.keyword_only


def _as_class(data: Any) -> ClassSource | None:
    if data is None:
        return None
    bases, init, *rest = data
    return ClassSource(bases, _as_signature(init), *rest)
