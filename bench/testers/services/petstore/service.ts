import express, { type NextFunction, type Request, type Response } from 'express';

const fault = process.env['FAULT'];

interface Pet {
  id: number;
  name: string;
  tag?: string;
}

class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const pets = new Map<number, Pet>();
const listed: Pet[] = [];
let last = 0;

const app = express();
app.set('query parser', (text: string) => new URLSearchParams(text));
app.use(express.json());

app.get('/pets', (request, response) => {
  const query = request.query as unknown as URLSearchParams;
  const tags = query.getAll('tags');
  const limit = query.get('limit');
  if (limit !== null && !(/^\d{1,10}$/.test(limit) && Number(limit) < 2 ** 31)) {
    throw new Refusal(400, 'limit is a number that is not negative');
  }
  let found = listed.filter(({ tag = null }) => tags.length === 0 || (tag !== null && tags.includes(tag)));
  if (fault === 'tags-ignored') found = [...listed];
  if (fault === 'oldest-dropped') found = found.filter((pet) => pet !== listed[0]);
  if (limit !== null && fault !== 'limit-ignored') found = found.slice(0, Number(limit));
  response.json(found);
});

app.post('/pets', (request, response) => {
  const body: unknown = request.body;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Refusal(400, 'a pet is an object');
  }
  const { name, tag } = body as { readonly name?: unknown; readonly tag?: unknown };
  const isNameless = name === undefined && fault === 'name-not-required';
  const isNumber = typeof name === 'number' && fault === 'name-any-type';
  if (typeof name !== 'string' && !isNameless && !isNumber) throw new Refusal(400, 'name is a text');
  if (tag !== undefined && typeof tag !== 'string') throw new Refusal(400, 'tag is a text');
  if (fault !== 'id-given-again' || last === 0) last += 1;
  const answer = { id: last, name: String(name ?? 'nameless'), ...(tag === undefined ? {} : { tag }) };
  const { id } = answer;
  const pet = fault === 'tag-not-kept' ? { id, name: answer.name } : answer;
  pets.set(id, pet);
  listed.push(pet);
  response.status(fault === 'created-as-201' ? 201 : 200).json(answer);
});

/** The pet whose number is in the path. Throws if there is none. */
function named(request: Request): Pet {
  const id = String(request.params['id']);
  if (!/^-?\d{1,19}$/.test(id)) throw new Refusal(400, 'id is a number');
  const pet = pets.get(Number(id));
  if (pet === undefined) throw new Refusal(404, 'there is no such pet');
  return pet;
}

app.get('/pets/:id', (request, response) => {
  if (fault === 'unknown-as-null' && !pets.has(Number(request.params.id))) {
    response.json(null);
    return;
  }
  response.json(named(request));
});

app.delete('/pets/:id', (request, response) => {
  const pet = named(request);
  if (fault !== 'delete-keeps') pets.delete(pet.id);
  if (fault !== 'delete-stays-listed') listed.splice(listed.indexOf(pet), 1);
  response.status(204).end();
});

app.use((_request, _response) => {
  throw new Refusal(404, 'there is nothing here');
});
app.use((error: Error & { status?: number }, _request: Request, response: Response, _next: NextFunction) => {
  const { status: code = 500, message } = error;
  response.status(code).json({ code, message });
});

const server = app.listen(Number(process.env['PORT'] ?? 8080), '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  console.log(`listening on http://127.0.0.1:${port}`);
});
