/** What of CEL's conformance data is outside this language, and where the language says so. */

export interface Outside {
  readonly because: string;
  /** The section of the language reference. */
  readonly language: string;
  /** Whole sections of the data. */
  readonly sections?: readonly string[];
  /** What reading says of the case, or, where its values have no form here, of which kind they are. */
  readonly told?: RegExp;
  /** What its text holds. */
  readonly says?: RegExp;
  /** Cases, one by one. */
  readonly cases?: readonly string[];
}

export const outside: readonly Outside[] = [
  {
    because: 'there are no messages and enumerations: an expression names only what is described',
    language: 'G.1',
    sections: ['proto2', 'proto3', 'proto2_ext', 'enums', 'dynamic', 'wrappers', 'comparisons / eq_wrapper'],
    told: /cel\.expr|google\.protobuf|enumValue/,
    says: /TestAllTypes|google\.protobuf/,
  },
  {
    because: 'there are no bytes and no unsigned integers',
    language: 'G.1',
    sections: ['integer_math / uint64_math', 'conversions / bytes', 'parse / bytes_literals'],
    told: /no bytes and no unsigned integers|^(bytes|uint64)Value$|"(BYTES|UINT64)"|function (bytes|uint),/,
  },
  {
    because: 'integers are exact between ±(2⁵³−1)',
    language: 'G.6',
    told: /integers are exact|an integer past/,
  },
  {
    because: 'the functions are those of the list, and no others',
    language: 'G.4',
    sections: [
      ...['bindings_ext', 'block_ext', 'encoders_ext', 'macros2', 'math_ext', 'optionals'],
      ...['macros / exists_one', 'conversions / bool', 'parse / receiver_function_names'],
      ...['char_at', 'index_of', 'last_index_of', 'ascii_casing', 'quote', 'format', 'format_errors'].map(
        (name) => `string_ext / ${name}`,
      ),
      ...['timestamp_selectors', 'timestamp_selectors_tz', 'duration_converters'].map(
        (name) => `timestamps / ${name}`,
      ),
    ],
    told: /there is no function (bool|f_unknown),|nothing is called optional|typeValue|a function of its own/,
  },
  {
    because: '`matches` compares words, and takes no pattern',
    language: 'G.4',
    cases: ['basic', 'empty_target', 'empty_arg', 're_concat', 're_alt', 're_rep', 'unicode'].map(
      (name) => `string / matches / ${name}`,
    ),
  },
  {
    because: 'an integer is a number without a fraction, however it is written',
    language: 'G.4',
    cases: ['conversions / type / neq_diff'],
  },
  {
    because: 'a function takes so many values, of these types',
    language: 'G.4',
    told: /(replace|split) takes/,
    cases: [
      'comparisons / eq_literal / not_eq_dyn_timestamp_null',
      'conversions / identity / duration',
      'conversions / identity / timestamp',
    ],
  },
  {
    because: 'members have texts for names, and are read by a plain name or one in brackets',
    language: 'G.1',
    sections: ['fields / quoted_map_fields'],
    told: /a key that is no text|"mapType"/,
    says: /\{\s*(\d+|true|false|null)\s*:|, \d+:/,
  },
  {
    because: 'exists, all, filter and map go through lists',
    language: 'G.4',
    told: /this is an object, and a list is wanted/,
  },
  {
    because: 'a name is one word, and there are no containers of names',
    language: 'G.2',
    sections: ['namespace', 'fields / qualified_identifier_resolution'],
  },
  {
    because: 'types are checked when the document is read, and only what is described may be named',
    language: 'G.1',
    cases: [
      'basic / variables / unbound_is_runtime_error',
      'comparisons / eq_literal / not_eq_list_length',
      'fields / map_has / has_empty',
      'fields / map_has / has_not',
      'logic / AND / short_circuit_type_left',
      'logic / AND / short_circuit_type_right',
      'logic / OR / short_circuit_type_left',
      'logic / OR / short_circuit_type_right',
    ],
  },
  {
    because: 'a number begins with a digit',
    language: 'G.1',
    cases: ['comparisons / gt_literal / not_gt_double'],
  },
  {
    because: 'what is not there reads as null, an element too',
    language: 'G.3',
    cases: [
      'fields / map_fields / map_field_select_no_such_key',
      'fields / map_fields / map_field_select_no_such_key_and_true',
      'fields / map_fields / map_field_select_no_such_key_or_false',
      'lists / index / bad_index_type',
      'lists / index / bad_index_type_and_true',
      'lists / index / bad_index_type_or_false',
      'lists / index / index_out_of_bounds',
      'lists / index / index_out_of_bounds_and_true',
      'lists / index / index_out_of_bounds_or_false',
      'lists / index / zero_based_double_error',
    ],
  },
  {
    because: 'comparisons have two values: what has no order is not before, after or alike',
    language: 'G.6',
    cases: [
      ...['lt', 'gt', 'lte', 'gte'].flatMap((op) =>
        ['null', 'list'].map((of) => `comparisons / ${op}_literal / ${op}_${of}_unsupported`),
      ),
      'comparisons / bound / null_lt_right_no_such_overload',
    ],
  },
  {
    because: 'what is past a number refuses the request: there is no infinity, and nothing that is no number',
    language: 'G.6',
    cases: [
      'comparisons / eq_literal / not_eq_double_nan',
      'comparisons / eq_literal / not_eq_int_double_nan',
      'comparisons / ne_literal / ne_double_nan',
      'comparisons / ne_literal / not_ne_double_nan',
      'comparisons / ne_literal / not_ne_int_double_nan',
      'fp_math / fp_math / divide_zero',
      'fp_math / fp_math / fp_overflow_negative',
      'fp_math / fp_math / fp_overflow_positive',
    ],
  },
  {
    because: 'a remainder is that of any two numbers',
    language: 'G.6',
    cases: ['fp_math / fp_math / mod_not_support'],
  },
  {
    because:
      'what cannot be worked out counts where it stands: only what comes after what decides is not worked out',
    language: 'G.6',
    cases: [
      'logic / AND / short_circuit_error_right',
      'logic / OR / short_circuit_error_right',
      'macros / all / list_elem_error_shortcircuit',
    ],
  },
  {
    because: 'the places that substring takes may be past an end, or counted from it',
    language: 'G.4',
    cases: [
      'substring_out_of_range',
      'substring_negative_index',
      'substring_end_index_out_of_range',
      'substring_begin_index_out_of_range',
      'substring_end_index_greater_than_begin_index',
    ].map((name) => `string_ext / value_errors / ${name}`),
  },
  {
    because: 'durations are written as ISO 8601 has them, and may be of any length',
    language: 'G.4',
    cases: [
      'timestamps / duration_conversions / toString_duration',
      ...['from_string_under', 'from_string_over', 'add_under', 'add_over', 'sub_under', 'sub_over'].map(
        (name) => `timestamps / duration_range / ${name}`,
      ),
      'timestamps / timestamp_range / sub_time_duration_over',
      'timestamps / timestamp_range / sub_time_duration_under',
    ],
  },
  {
    because: 'what comes of times is exact to the microsecond, within the years 0 to 9999',
    language: 'G.4',
    cases: [
      'timestamps / timestamp_arithmetic / add_time_to_duration_nanos_negative',
      'timestamps / timestamp_arithmetic / add_time_to_duration_nanos_positive',
      'timestamps / timestamp_range / from_string_under',
      'timestamps / timestamp_range / add_duration_under',
      'timestamps / timestamp_range / add_duration_nanos_over',
      'timestamps / timestamp_range / add_duration_nanos_under',
    ],
  },
];
