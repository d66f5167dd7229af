/** As much of an OpenAPI description as the services of this folder use. */
export interface Description {
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: { readonly securitySchemes?: Readonly<Record<string, Scheme>> };
}

type Scheme = { readonly type: 'http' } | { readonly type: 'apiKey'; readonly name: string };
type PathItem = Readonly<Record<string, Operation>> & { readonly parameters?: readonly Parameter[] };

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { readonly headers?: object }>>;
}

interface Parameter extends Exemplified {
  readonly name: string;
  readonly in: string;
  readonly schema: Exemplified;
}

interface Media extends Exemplified {
  readonly schema: Schema;
}

interface Exemplified {
  readonly $ref?: string;
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
}

interface Schema extends Exemplified {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** A request that follows from the examples of the description. */
export interface ExampleRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The names of the header fields that a response with this status has. */
  answerHeaders(status: number): string[];
}

/**
 * The description with the parameters of each path in its operations, their references resolved, and their examples in
 * their schemas: Step CI and Specmatic look for them nowhere else.
 */
export function withOwnParameters(description: Description): object {
  const paths = Object.entries(description.paths).map(([path, item]) => {
    const operations = operationsOf(description, item).map(([method, operation]) => {
      const parameters = operation.parameters.map((parameter) => {
        const example = exampleOf(description, parameter);
        return example === undefined
          ? parameter
          : { ...parameter, example, schema: { ...parameter.schema, example } };
      });
      return [method, { ...operation, parameters }];
    });
    return [path, Object.fromEntries(operations)];
  });
  return { ...description, paths: Object.fromEntries(paths) };
}

/** For each operation the request that its examples make; those that remove something come last. */
export function exampleRequests(description: Description): ExampleRequest[] {
  const requests = Object.entries(description.paths).flatMap(([template, item]) =>
    operationsOf(description, item).map(([method, { parameters, requestBody, responses }]) => {
      const path = template.replaceAll(/\{(\w+)\}/g, (_, name) =>
        String(exampleOf(description, parameters.find((parameter) => parameter.name === name) ?? {})),
      );
      const answerHeaders = (status: number): string[] => Object.keys(responses[status]?.headers ?? {});
      const request = { method: method.toUpperCase(), path, answerHeaders };
      const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
      if (type === undefined || media === undefined) return { ...request, headers: {} };
      const body = media.example ?? exampleOf(description, media.schema);
      return { ...request, headers: { 'Content-Type': type }, body };
    }),
  );
  return requests.sort((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));
}

function operationsOf(description: Description, { parameters: shared = [], ...operations }: PathItem) {
  return Object.entries(operations as Readonly<Record<string, Operation>>).map(([method, operation]) => {
    const parameters = [...shared, ...(operation.parameters ?? [])].map((said) =>
      resolved(description, said),
    );
    return [method, { ...operation, parameters }] as const;
  });
}

/** The example of a parameter or schema: its own, or that of its schema, or what the examples of its members make. */
function exampleOf(description: Description, said: Exemplified): unknown {
  const { example, examples, schema, properties, items } = resolved(description, said) as Partial<Parameter> &
    Schema;
  if (example !== undefined) return example;
  if (Array.isArray(examples)) return examples[0];
  if (schema !== undefined) return exampleOf(description, schema);
  if (items !== undefined) return [exampleOf(description, items)];
  if (properties === undefined) return undefined;
  const members = Object.entries(properties).map(([name, member]) => [name, exampleOf(description, member)]);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

function resolved<Said extends Exemplified>(description: Description, said: Said): Said {
  if (said.$ref === undefined) return said;
  const names = said.$ref.slice(2).split('/');
  return names.reduce((part: unknown, name) => (part as Record<string, unknown>)[name], description) as Said;
}
