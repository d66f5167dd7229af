import { randomUUID } from 'node:crypto';
import express, { type NextFunction, type Request, type Response } from 'express';

const fault = process.env['FAULT'];

interface Customer {
  id: string;
  name: string;
  country: string;
  vatId?: string;
}
interface Line {
  text: string;
  quantity: number;
  unitPrice: number;
}
interface Invoice {
  id: string;
  number: number;
  status: 'draft' | 'sent' | 'paid';
  customerId: string;
  lines: Line[];
  currency: string;
  dueOn?: string;
  total: number;
  paid: number;
  sentAt?: string;
}

class Refusal extends Error {
  readonly status: number;
  readonly field?: string | undefined;

  constructor(status: number, message: string, field?: string) {
    super(message);
    this.status = status;
    this.field = field;
  }
}

const customer = { id: '5d0b0c7e-55f4-4b8e-8a86-0f6a3f8e2c11', name: 'Lumber & Sons', country: 'DE' };
const customers = new Map<string, Customer>([[customer.id, customer]]);
const invoices = new Map<string, Invoice>();
let number = 0;

const require = (isRight: boolean, field: string): void => {
  if (!isRight) throw new Refusal(422, `${field} is not valid`, field);
};
const isText = (value: unknown, least: number, most: number): boolean =>
  typeof value === 'string' && [...value].length >= least && [...value].length <= most;
const isNumber = (value: unknown, least: number, most: number): boolean =>
  typeof value === 'number' && value >= least && value <= most;
const isDate = (value: unknown): boolean =>
  typeof value === 'string' &&
  /^\d{4}-\d\d-\d\d$/.test(value) &&
  new Date(`${value}T00:00Z`).toJSON()?.slice(0, 10) === value;
const isUuid = (value: unknown): boolean =>
  typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);

const cents = (value: number): number =>
  fault === 'total-cut-off' ? Math.floor(value * 100) / 100 : Math.round(value * 100) / 100;

function create(id: string, body: Record<string, unknown>): Invoice {
  const { customerId, lines, currency = fault === 'wrong-currency' ? 'USD' : 'EUR', dueOn } = body;
  require(isUuid(customerId), 'customerId');
  require(Array.isArray(lines) && lines.length > 0 && lines.length <= 20, 'lines');
  const checked = (lines as Line[]).map((line) => {
    require(typeof line === 'object' && line !== null, 'lines');
    require(isText(line.text, 1, 200), 'text');
    require(isNumber(line.quantity, 1, 1000) && Number.isInteger(line.quantity), 'quantity');
    if (fault !== 'negative-price') require(isNumber(line.unitPrice, 0, 10000), 'unitPrice');
    return { text: line.text, quantity: line.quantity, unitPrice: line.unitPrice };
  });
  require(['EUR', 'USD', 'GBP'].includes(currency as string), 'currency');
  if (dueOn !== undefined) require(isDate(dueOn), 'dueOn');
  require(customers.has((customerId as string).toLowerCase()) ||
    fault === 'customer-unchecked', 'customerId');
  const sum = checked.reduce(
    (total, line) => total + line.unitPrice * (fault === 'total-without-quantity' ? 1 : line.quantity),
    0,
  );
  number += 1;
  const invoice: Invoice = {
    id,
    number,
    status: 'draft',
    customerId: customerId as string,
    lines: checked,
    currency: currency as string,
    ...(dueOn === undefined ? {} : { dueOn: dueOn as string }),
    total: cents(sum),
    paid: 0,
  };
  invoices.set(id, invoice);
  return invoice;
}
create('0b9f2f5e-3c0a-4a77-9d0c-6f3b8f0f4d21', {
  customerId: customer.id,
  lines: [{ text: 'Beams', quantity: 3, unitPrice: 19.5 }],
});

const app = express();
app.use((request, _response, next) => {
  if (request.get('api-key') !== 'invoice-key') throw new Refusal(401, 'send a valid API key');
  next();
});
app.use(express.json());
const bodyOf = (request: Request): Record<string, unknown> => {
  if (typeof request.body !== 'object' || Array.isArray(request.body))
    throw new Refusal(422, 'send an object');
  return request.body;
};
const found = (request: Request): Invoice => {
  const invoice = invoices.get(String(request.params['id']).toLowerCase());
  if (invoice === undefined) throw new Refusal(404, 'no such invoice');
  return invoice;
};

app.get('/customers', (_request, response) => {
  response.json([...customers.values()].sort((a, b) => (a.name < b.name ? -1 : 1)));
});

app.post('/customers', (request, response) => {
  const { name, country, vatId } = bodyOf(request);
  require(isText(name, 1, 100), 'name');
  require(typeof country === 'string' && /^[A-Z]{2}$/.test(country), 'country');
  if (vatId !== undefined) require(isText(vatId, 4, 20), 'vatId');
  const made = { id: randomUUID(), name, country, ...(vatId === undefined ? {} : { vatId }) } as Customer;
  customers.set(made.id, made);
  if (fault === 'vat-id-shape' && vatId !== undefined)
    response.status(201).json({ ...made, vatId: { value: vatId } });
  else response.status(201).json(made);
});

app.get('/invoices', (request, response) => {
  const { status, customerId } = request.query;
  if (status !== undefined) require(['draft', 'sent', 'paid'].includes(status as string), 'status');
  if (customerId !== undefined) require(isUuid(customerId), 'customerId');
  const list = [...invoices.values()]
    .filter(
      (each) =>
        status === undefined ||
        each.status === status ||
        (fault === 'sent-lists-paid' && status === 'sent' && each.status === 'paid'),
    )
    .filter(
      (each) =>
        customerId === undefined || fault === 'customer-filter-ignored' || each.customerId === customerId,
    );
  if (fault !== 'lowest-first') list.reverse();
  response.json({ invoices: list, count: list.length });
});

app.post('/invoices', (request, response) => {
  const invoice = create(randomUUID(), bodyOf(request));
  response.status(201).location(`/invoices/${invoice.id}`).json(invoice);
});

app.get('/invoices/:id', (request, response) => {
  response.json(found(request));
});

app.delete('/invoices/:id', (request, response) => {
  const invoice = found(request);
  if (invoice.status !== 'draft' && !(fault === 'paid-deleted' && invoice.status === 'paid'))
    throw new Refusal(409, 'not a draft');
  invoices.delete(invoice.id);
  response.status(204).end();
});

app.post('/invoices/:id/send', (request, response) => {
  const invoice = found(request);
  if (invoice.status !== 'draft' && fault !== 'send-twice') throw new Refusal(409, 'not a draft');
  invoice.status = 'sent';
  invoice.sentAt = new Date().toISOString();
  response.json(invoice);
});

app.post('/invoices/:id/payments', (request, response) => {
  const invoice = found(request);
  const amount = bodyOf(request)['amount'] as number;
  require(isNumber(amount, 0.01, 1_000_000), 'amount');
  if (invoice.status !== 'sent') throw new Refusal(409, 'not sent');
  if (cents(invoice.paid + amount) > invoice.total) throw new Refusal(422, 'too much', 'amount');
  invoice.paid = cents(invoice.paid + amount);
  if (fault === 'never-paid' ? invoice.paid > invoice.total : invoice.paid >= invoice.total)
    invoice.status = 'paid';
  response.json(invoice);
});

app.use(
  (
    error: Error & { status?: number; field?: string },
    _request: Request,
    response: Response,
    _next: NextFunction,
  ) => {
    const { message, field } = error;
    response
      .status(error.status === 400 ? 422 : (error.status ?? 500))
      .json(field === undefined ? { message } : { message, field });
  },
);

const server = app.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as { port: number }).port}`);
});
