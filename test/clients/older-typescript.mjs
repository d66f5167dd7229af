// The generator of clients asks for TypeScript by its name, and means one that has an API in JavaScript.
import { registerHooks } from 'node:module';

const here = import.meta.url;
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, specifier === 'typescript' ? { ...context, parentURL: here } : context),
});
