import { type Hook, type Registry, random } from './registry.ts';
import { address, check, listOf, NoAddress, oneOf, query, require } from './request.ts';
import type { Call, Routes } from './route.ts';

const kind = oneOf(
  'device.commissioned',
  'device.changed',
  'device.updated',
  'device.silent',
  'device.recovered',
  'device.retired',
  'alert.raised',
  'alert.acknowledged',
  'alert.resolved',
  'hook.paused',
);
const mostHooks = 3;

export function hookRoutes(registry: Registry): Routes {
  const { broken, hooks } = registry;
  const rules = { url: address, kinds: listOf(kind, broken('no-kinds') ? 0 : 1) };
  const hooksOf = (owner: string): readonly Hook[] =>
    [...hooks.values()].filter((one) => one.owner === owner);
  const hookIn = ({ actor, params }: Call): Hook => {
    const hook = hooks.get(params['id'] ?? '');
    require(hook !== undefined, 'no_hook');
    require(actor.role === 'owner', 'not_allowed');
    require(hook.owner === actor.name, 'no_hook');
    return hook;
  };

  return {
    'POST /hooks': {
      hasBody: true,
      handle: ({ actor, search, body }) => {
        require(actor.role === 'owner', 'not_allowed');
        query(search);
        check(body, rules, ['url', 'kinds']);
        const { url, kinds } = body as { url: string; kinds: string[] };
        const own = hooksOf(actor.name);
        require(!own.some((other) => other.url === url), 'url_taken');
        if (!URL.canParse(url)) throw new NoAddress();
        require((broken('hooks-of-all') ? hooks.size : own.length) < mostHooks, 'hooks_full');
        const hook: Hook = {
          ...{ id: `hook_${random(12)}`, owner: actor.name, url, kinds },
          ...{ secret: `whsec_${random(32)}`, status: 'active', createdAt: registry.written() },
        };
        hooks.set(hook.id, hook);
        const headers = { Location: `/hooks/${hook.id}` };
        return { status: 201, headers, body: registry.showHook(hook, true) };
      },
    },

    'GET /hooks': {
      handle: ({ actor, search }) => {
        require(actor.role === 'owner', 'not_allowed');
        const { status } = query(search, { status: oneOf('active', 'paused') });
        const found = hooksOf(actor.name).filter((one) => status === undefined || one.status === status);
        return { status: 200, body: found.map((hook) => registry.showHook(hook)) };
      },
    },

    'GET /hooks/:id': {
      handle: (call) => {
        const hook = hookIn(call);
        query(call.search);
        return { status: 200, body: registry.showHook(hook) };
      },
    },

    'PATCH /hooks/:id': {
      hasBody: true,
      handle: (call) => {
        const hook = hookIn(call);
        query(call.search);
        check(call.body, rules);
        require(Object.keys(call.body).length > 0, 'invalid');
        const url = String(call.body['url'] ?? hook.url);
        require(!hooksOf(hook.owner).some((other) => other !== hook && other.url === url), 'url_taken');
        if (!URL.canParse(url)) throw new NoAddress();
        Object.assign(hook, call.body);
        return { status: 200, body: registry.showHook(hook) };
      },
    },

    'POST /hooks/:id/resumption': {
      handle: (call) => {
        const hook = hookIn(call);
        query(call.search);
        require(hook.status === 'paused', 'wrong_status');
        hook.status = 'active';
        return { status: 200, body: registry.showHook(hook) };
      },
    },

    'DELETE /hooks/:id': {
      handle: (call) => {
        const hook = hookIn(call);
        query(call.search);
        hooks.delete(hook.id);
        return { status: 204 };
      },
    },
  };
}
