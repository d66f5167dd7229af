/** HTTP over TLS, which is loaded only where it is asked for. */
export const secureServer: typeof import('node:https').createServer = (...given: unknown[]) =>
  (process.getBuiltinModule('node:https').createServer as (...all: unknown[]) => never)(...given);

/**
 * Node's HTTP. Imported, it would load what Node has for WebSockets and `fetch` as well, which is a fifth of the time
 * that a service takes to start.
 */
export const { Agent, createServer, METHODS, request, STATUS_CODES } = process.getBuiltinModule('node:http');
