"""What counts as a definition or a reference in programming languages, as tree-sitter queries.

A pattern captures either `@call`, `@use`, `@export` (a name), `@import` (a statement), or `@name` together with its definition under
the name of its kind. `@scope` names what a definition belongs to where it does not stand inside it; beside `@export`, `@module` and
`@exports` must read like that; `@exporting` is a statement about a name that may be `__all__`.
If two patterns name the same thing, the one that stands first counts. No text predicates (`#eq?`): in a tree that was parsed through a
callback each one reads the source again.
"""

PYTHON = """
(class_definition name: (identifier) @name) @class
(function_definition name: (identifier) @name) @function
(type_alias_statement left: (type (identifier) @name)) @type
(module (expression_statement (assignment left: [(identifier) @name (pattern_list (identifier) @name)]) @variable))
(module (expression_statement (augmented_assignment left: (identifier) @name) @exporting))
(module (expression_statement (call function: (attribute object: (identifier) @name)) @exporting))
(module (if_statement (block (expression_statement (assignment left: (identifier) @name) @variable))))
(module (if_statement (else_clause (block (expression_statement (assignment left: (identifier) @name) @variable)))))
(module (try_statement (block (expression_statement (assignment left: (identifier) @name) @variable))))
(module (try_statement (except_clause (block (expression_statement (assignment left: (identifier) @name) @variable)))))
(class_definition body: (block (expression_statement (assignment left: (identifier) @name) @field)))
[(import_statement) (import_from_statement)] @import
(call function: [(identifier) @call (attribute attribute: (identifier) @call)])
(call function: (attribute object: (identifier) @use))
(argument_list [(identifier) @use (attribute object: (identifier) @use)])
(class_definition superclasses: (argument_list (attribute attribute: (identifier) @member)))
(keyword_argument value: [(identifier) @use (attribute object: (identifier) @use)])
(decorator [(identifier) @use (attribute object: (identifier) @use attribute: (identifier) @member)])
(type [(identifier) @use (attribute object: (identifier) @use attribute: (identifier) @member) (binary_operator (identifier) @use)])
(pair value: [(identifier) @use (attribute object: (identifier) @use)])
[(list (identifier) @use) (tuple (identifier) @use) (set (identifier) @use) (expression_list (identifier) @use)]
(assignment right: [(identifier) @use (attribute object: (identifier) @use)])
(default_parameter value: (identifier) @use)
(typed_default_parameter value: (identifier) @use)
(return_statement [(identifier) @use (attribute object: (identifier) @use)])
(class_definition superclasses: (argument_list (subscript (identifier) @use)))
(except_clause [(identifier) @use (as_pattern (identifier) @use)])
"""

BASH = """
(function_definition name: (word) @name) @function
(program (variable_assignment name: (variable_name) @name) @variable)
(program (declaration_command (variable_assignment name: (variable_name) @name) @variable))
(command name: (command_name (word) @call))
"""

_DECLARATORS = ("{0}", "(pointer_declarator declarator: {0})", "(pointer_declarator declarator: (pointer_declarator declarator: {0}))")

C = (
    "\n".join(
        f"(function_definition declarator: {d.format('(function_declarator declarator: (identifier) @name)')}) @function\n"
        f"(declaration declarator: {d.format('(function_declarator declarator: (identifier) @name)')}) @declaration"
        for d in _DECLARATORS
    )
    + """
(struct_specifier name: (type_identifier) @name body: (_)) @struct
(union_specifier name: (type_identifier) @name body: (_)) @union
(enum_specifier name: (type_identifier) @name body: (_)) @enum
(type_definition declarator: (type_identifier) @name) @type
(preproc_def name: (identifier) @name) @macro
(preproc_function_def name: (identifier) @name) @macro
(translation_unit (declaration declarator: [(identifier) @name (init_declarator declarator: (identifier) @name)]) @variable)
(call_expression function: [(identifier) @call (field_expression field: (field_identifier) @call)])
(type_identifier) @use
"""
)

_CPP_NAMES = "[(identifier) (field_identifier) (qualified_identifier) (destructor_name) (operator_name)] @name"
_CPP_DECLARATORS = (*_DECLARATORS[:2], "(reference_declarator {0})")

CPP = (
    "\n".join(
        f"(function_definition declarator: {d.format(f'(function_declarator declarator: {_CPP_NAMES})')}) @function\n"
        f"(declaration declarator: {d.format(f'(function_declarator declarator: {_CPP_NAMES})')}) @declaration\n"
        f"(field_declaration declarator: {d.format(f'(function_declarator declarator: {_CPP_NAMES})')}) @declaration"
        for d in _CPP_DECLARATORS
    )
    + """
(class_specifier name: [(type_identifier) (template_type) (qualified_identifier)] @name body: (_)) @class
(struct_specifier name: [(type_identifier) (template_type) (qualified_identifier)] @name body: (_)) @struct
(union_specifier name: (type_identifier) @name body: (_)) @union
(enum_specifier name: (type_identifier) @name body: (_)) @enum
(namespace_definition name: (_) @name) @namespace
(concept_definition name: (identifier) @name) @concept
(type_definition declarator: (type_identifier) @name) @type
(alias_declaration name: (type_identifier) @name) @type
(preproc_def name: (identifier) @name) @macro
(preproc_function_def name: (identifier) @name) @macro
(field_declaration declarator: (field_identifier) @name) @field
(translation_unit (declaration declarator: [(identifier) @name (init_declarator declarator: (identifier) @name)]) @variable)
(call_expression function: [
  (identifier) @call
  (field_expression field: (field_identifier) @call)
  (field_expression field: (template_method name: (field_identifier) @call))
  (template_function name: (identifier) @call)
  (qualified_identifier name: (identifier) @call)
  (qualified_identifier name: (template_function name: (identifier) @call))
  (qualified_identifier name: (qualified_identifier name: (identifier) @call))
])
(type_identifier) @use
"""
)

JAVA = """
(class_declaration name: (identifier) @name) @class
(interface_declaration name: (identifier) @name) @interface
(enum_declaration name: (identifier) @name) @enum
(record_declaration name: (identifier) @name) @record
(annotation_type_declaration name: (identifier) @name) @annotation
(method_declaration name: (identifier) @name) @method
(constructor_declaration name: (identifier) @name) @constructor
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @field
(enum_constant name: (identifier) @name) @constant
(method_invocation name: (identifier) @call)
(object_creation_expression type: (type_identifier) @call)
(import_declaration (scoped_identifier name: (identifier) @use))
(type_identifier) @use
"""

_JAVASCRIPT = """
(function_declaration name: (identifier) @name) @function
(generator_function_declaration name: (identifier) @name) @function
(method_definition name: (_) @name) @method
(variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression)]) @function
(program (lexical_declaration (variable_declarator name: (identifier) @name) @variable))
(program (variable_declaration (variable_declarator name: (identifier) @name) @variable))
(program (export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @name) @variable)))
(call_expression function: [(identifier) @call (member_expression property: (property_identifier) @call)])
(new_expression constructor: [(identifier) @call (member_expression property: (property_identifier) @call)])
(import_specifier name: (identifier) @use)
(import_clause (identifier) @use)
(program (export_statement declaration: (_ name: (_) @export)))
(program (export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @export))))
(export_specifier !alias name: (identifier) @export)
(export_specifier alias: (identifier) @export)
(assignment_expression left: (member_expression object: (identifier) @exports property: (property_identifier) @export))
(assignment_expression
  left: (member_expression object: (identifier) @module property: (property_identifier) @exports)
  right: (object [(pair key: (property_identifier) @export) (shorthand_property_identifier) @export]))
"""

_JSX = """
(jsx_opening_element name: (identifier) @use)
(jsx_self_closing_element name: (identifier) @use)
"""

JAVASCRIPT = (
    """
(class_declaration name: (identifier) @name) @class
(class_heritage (identifier) @use)
(field_definition property: (property_identifier) @name value: [(arrow_function) (function_expression)]) @method
(field_definition property: (property_identifier) @name) @field
"""
    + _JAVASCRIPT
    + _JSX
)

TYPESCRIPT = (
    """
(class_declaration name: (type_identifier) @name) @class
(abstract_class_declaration name: (type_identifier) @name) @class
(interface_declaration name: (type_identifier) @name) @interface
(type_alias_declaration name: (type_identifier) @name) @type
(enum_declaration name: (identifier) @name) @enum
(internal_module name: (_) @name) @namespace
(function_signature name: (identifier) @name) @declaration
(abstract_method_signature name: (_) @name) @method
(method_signature name: (_) @name) @method
(property_signature name: (property_identifier) @name) @field
(public_field_definition name: (property_identifier) @name value: [(arrow_function) (function_expression)]) @method
(public_field_definition name: (property_identifier) @name) @field
(extends_clause value: (identifier) @use)
(type_identifier) @use
"""
    + _JAVASCRIPT
)

TSX = TYPESCRIPT + _JSX
