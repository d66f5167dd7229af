import { type Member, trimmed } from './catalogue.ts';
import { bool, compare, digits, email, judge, oneOf, require, text, word } from './request.ts';
import { type Call, type Context, done, isLibrarian, known, ok, plain, type Route, route } from './route.ts';

const nameRule = text(0, 60, /\S/);

function memberOf({ desk }: Context, { path }: Call): Member {
  const member = desk.members.get(path[1] ?? '');
  require(member !== undefined, 'no_member');
  return member;
}

/** Sessions, and what members see of themselves. */
export function sessionRoutes({ desk }: Context): Route[] {
  const logIn = ({ body, search }: Call) => {
    judge(search, {}, { of: body, rules: { card: word, password: word }, required: ['card', 'password'] });
    const [card, password] = [String(body['card']), String(body['password'])];
    const token = desk.logIn(card, password);
    require(token !== null, 'wrong_login');
    const member = desk.who(token);
    return { status: 201, body: { token, card: member?.card, role: member?.role } };
  };
  const changePassword = (call: Call) => {
    const rules = { password: text(8, 60) };
    judge(call.search, {}, { of: call.body, rules, required: ['password'] });
    desk.setPassword(known(call), String(call.body['password']));
    return done;
  };
  return [
    route('POST /sessions', 'anyone', logIn, { body: true }),
    route('DELETE /session', 'known', (call) => {
      plain(call);
      desk.logOut(call.token);
      return done;
    }),
    route('GET /me', 'known', (call) => {
      plain(call);
      return ok(desk.member(known(call)));
    }),
    route('PUT /me/password', 'known', changePassword, { body: true }),
  ];
}

/** What librarians do with members. */
export function memberRoutes(context: Context): Route[] {
  const { desk, broken } = context;
  const addMember = ({ body, search }: Call) => {
    const rules = {
      card: text(0, 6, /^[A-Z]{2}[0-9]{4}$/),
      name: nameRule,
      email: (value: unknown) => text(0, 80)(value) && email(value),
      role: oneOf('member', 'librarian'),
      password: text(8, 60),
    };
    judge(search, {}, { of: body, rules, required: ['card', 'name', 'email', 'password'] });
    const given = { role: 'member', ...body } as Parameters<typeof desk.addMember>[0];
    require(!desk.members.has(given.card) && desk.isFree(given.email), 'taken');
    const member = desk.addMember({ ...given, name: trimmed(given.name) });
    return { status: 201, headers: { Location: `/members/${member.card}` }, body: desk.member(member) };
  };
  const editMember = (call: Call) => {
    const member = memberOf(context, call);
    const rules = {
      name: nameRule,
      email: (value: unknown) => text(0, 80)(value) && email(value),
    };
    const wrong = Object.keys(call.body).length === 0 ? [''] : [];
    judge(call.search, {}, { of: call.body, rules, required: [], wrong });
    const { name = member.name, email: address = member.email } = call.body as Partial<Member>;
    require(desk.isFree(address, member) || broken('edited-email-unchecked'), 'taken');
    member.name = broken('edited-name-untrimmed') ? name : trimmed(name);
    member.email = address;
    return ok(desk.member(member));
  };
  const readMember = (call: Call) => {
    const member = memberOf(context, call);
    const isSeen = member === call.actor || isLibrarian(call.actor);
    require(isSeen, 'no_member');
    plain(call);
    return ok(desk.member(member));
  };
  return [
    route('POST /members', 'librarian', addMember, { body: true }),
    route('GET /members', 'librarian', ({ search }) => ok(listMembers(context, search))),
    route('GET /members/*', 'known', readMember),
    route('PATCH /members/*', 'librarian', editMember, { body: true }),
    ...suspensionRoutes(context),
  ];
}

function suspensionRoutes(context: Context): Route[] {
  const change = (status: Member['status']) => (call: Call) => {
    const member = memberOf(context, call);
    plain(call);
    require(member.status !== status, 'wrong_status');
    member.status = status;
    return ok(context.desk.member(member));
  };
  return [
    route('PUT /members/*/suspension', 'librarian', change('suspended')),
    route('DELETE /members/*/suspension', 'librarian', change('active')),
  ];
}

function listMembers({ desk, broken }: Context, search: string): object {
  const { name, status, owing, offset, limit } = judge(search, {
    name: text(1),
    status: oneOf('active', 'suspended'),
    owing: bool,
    offset: digits(0),
    limit: digits(1, 50),
  });
  const start = name?.toLowerCase() ?? '';
  const found = [...desk.members.values()]
    .filter((one) => one.name.toLowerCase().startsWith(start))
    .filter((one) => status === undefined || one.status === status)
    .filter((one) =>
      broken('owing-false-ignored')
        ? owing !== 'true' || desk.owes(one) > 0
        : owing === undefined || desk.owes(one) > 0 === (owing === 'true'),
    )
    .sort((a, b) => compare(a.card, b.card));
  const size = Number(limit ?? 20);
  const first = Number(offset ?? 0);
  return {
    members: found.slice(first, first + size).map((one) => desk.member(one)),
    total: found.length,
  };
}
