"""More queries: Go, Rust and Julia, and the keys of YAML, TOML and JSON. See `queries_code`."""

GO = """
(function_declaration name: (identifier) @name) @function
(method_declaration
  receiver: (parameter_list (parameter_declaration type: [
    (type_identifier) @scope
    (pointer_type (type_identifier) @scope)
    (generic_type type: (type_identifier) @scope)
    (pointer_type (generic_type type: (type_identifier) @scope))
  ]))
  name: (field_identifier) @name) @method
(type_spec name: (type_identifier) @name type: (struct_type)) @struct
(type_spec name: (type_identifier) @name type: (interface_type)) @interface
(type_spec name: (type_identifier) @name) @type
(type_alias name: (type_identifier) @name) @type
(method_elem name: (field_identifier) @name) @method
(source_file (const_declaration (const_spec name: (identifier) @name) @constant))
(source_file (var_declaration (var_spec name: (identifier) @name) @variable))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name) @variable)))
(call_expression function: [(identifier) @call (selector_expression field: (field_identifier) @call)])
(type_identifier) @use
"""

RUST = """
(function_item name: (identifier) @name) @function
(function_signature_item name: (identifier) @name) @declaration
(struct_item name: (type_identifier) @name) @struct
(union_item name: (type_identifier) @name) @union
(enum_item name: (type_identifier) @name) @enum
(trait_item name: (type_identifier) @name) @trait
(impl_item type: [(type_identifier) @name (generic_type type: (type_identifier) @name)]) @impl
(mod_item name: (identifier) @name) @namespace
(const_item name: (identifier) @name) @constant
(static_item name: (identifier) @name) @variable
(type_item name: (type_identifier) @name) @type
(macro_definition name: (identifier) @name) @macro
(call_expression function: [
  (identifier) @call
  (field_expression field: (field_identifier) @call)
  (scoped_identifier name: (identifier) @call)
  (generic_function function: [(identifier) @call (scoped_identifier name: (identifier) @call)])
])
(macro_invocation macro: [(identifier) @call (scoped_identifier name: (identifier) @call)])
(use_declaration argument: (scoped_identifier name: (identifier) @use))
(use_list [(identifier) @use (scoped_identifier name: (identifier) @use)])
(use_as_clause path: [(identifier) @use (scoped_identifier name: (identifier) @use)])
(type_identifier) @use
(source_file (_ (visibility_modifier) name: (_) @export))
"""

_HEADS = ("{0}", "(typed_expression . {0})", "(where_expression . {0})", "(where_expression . (typed_expression . {0}))")
_NAMED = "(call_expression . [(identifier) @name (field_expression (identifier) @name .)])"
_TYPES = (
    "{0}",
    "(parametrized_type_expression . {0})",
    "(binary_expression . {0})",
    "(binary_expression . (parametrized_type_expression . {0}))",
)

JULIA = (
    "\n".join(
        f"(function_definition (signature {h.format(_NAMED)})) @function\n(assignment . {h.format(_NAMED)}) @function" for h in _HEADS
    )
    + "\n"
    + "\n".join(
        f"(struct_definition (type_head {t.format('(identifier) @name')})) @struct\n"
        f"(abstract_definition (type_head {t.format('(identifier) @name')})) @type"
        for t in _TYPES
    )
    + """
(macro_definition (signature (call_expression . (identifier) @name))) @macro
(module_definition name: (identifier) @name) @namespace
(const_statement (assignment . (identifier) @name)) @constant
(call_expression . [(identifier) @call (field_expression (identifier) @call .)])
(selected_import (identifier) @use)
(export_statement (identifier) @export)
"""
)

YAML = """
(block_mapping_pair key: (flow_node) @name) @key
(flow_mapping (flow_pair key: (flow_node) @name) @key)
"""

TOML = """
(table . [(bare_key) (quoted_key) (dotted_key)] @name) @table
(table_array_element . [(bare_key) (quoted_key) (dotted_key)] @name) @table
(pair . [(bare_key) (quoted_key) (dotted_key)] @name) @key
"""

JSON = """
(pair key: (string) @name) @key
"""
