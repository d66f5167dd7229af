import { accountShown, actorOf, type Desk, enter, judged, plain, send, tokenOf } from './desk.ts';
import type { Rules } from './request.ts';
import * as take from './request.ts';

const account = {
  email: [take.string, take.email, take.longest(80)],
  name: [take.string, take.shortest(1), take.longest(60)],
  password: [take.string, take.shortest(8), take.longest(64)],
};

export function addAccounts(desk: Desk): void {
  const { app, store, broken } = desk;
  app.post('/accounts', enter(desk, { who: 'anyone', reads: 'body' }), (request, response) => {
    const role = broken('role-from-body') && { role: [take.string, take.oneOf(['customer', 'mechanic'])] };
    const rules: Rules = { ...account, ...role };
    const body = judged(request, response, rules, ['email', 'name', 'password']);
    const made = store.signUp(
      String(body['email']),
      String(body['name']),
      String(body['password']),
      body['role'] === 'mechanic' ? 'mechanic' : 'customer',
    );
    send(response, 201, accountShown(desk, made));
  });

  app.post('/sessions', enter(desk, { who: 'anyone', reads: 'body' }), (request, response) => {
    const rules = { email: [take.string], password: [take.string] };
    const body = judged(request, response, rules, ['email', 'password']);
    const made = store.logIn(String(body['email']), String(body['password']));
    response.setHeader('Cache-Control', 'no-store');
    send(response, 201, made);
  });

  app.delete('/sessions', enter(desk, { who: 'known' }), (request, response) => {
    plain(request);
    store.logOut(tokenOf(request) ?? '');
    send(response, 204);
  });

  app.get('/me', enter(desk, { who: 'known' }), (request, response) => {
    plain(request);
    send(response, 200, accountShown(desk, actorOf(response)));
  });
}
