/** The words that stand for something in every expression, or are CEL's own: no `as` may bind them (language §G.2). */
export const reserved: readonly string[] = [
  ...[
    'this',
    'old',
    'value',
    'request',
    'actor',
    'now',
    'page',
    'rate',
    'quota',
    'event',
    'error',
    'claims',
    'result',
    'results',
  ],
  ...['outcome', 'service', 'true', 'false', 'null', 'in', 'as', 'break', 'const', 'continue', 'else', 'for'],
  ...['function', 'if', 'import', 'let', 'loop', 'package', 'namespace', 'return', 'var', 'void', 'while'],
];
