import { bodyOf, type Call, type Clinic, numbered, plain } from './clinic.ts';
import type { Hook } from './courier.ts';
import type { Gate } from './gate.ts';
import { require } from './request.ts';

const kinds = ['appointment.confirmed', 'appointment.cancelled', 'appointment.due', 'prescription.refilled'];

function shown({ broken }: Clinic, hook: Hook): object {
  const { secret: _, ...rest } = hook;
  return broken('secret-shown') ? hook : rest;
}

function hookOf({ courier }: Clinic, call: Call): Hook {
  const hook = numbered(courier.hooks, call);
  require(hook !== undefined && hook.owner === call.var.actor.id, 'no-hook');
  return hook;
}

export function addHooks(clinic: Clinic, gate: Gate): void {
  const { app, courier } = clinic;
  app.post('/hooks', gate.opens({ scope: 'manage', media: 'application/json' }), (call) => {
    const shapes = {
      url: { type: 'string', format: 'uri', maxLength: 200, pattern: /^https?:\/\// },
      kinds: { type: 'array', items: { type: 'string', enum: kinds }, minItems: 1, uniqueItems: true },
      secret: { type: 'string', minLength: 16, maxLength: 64, pattern: /^[A-Za-z0-9_-]+$/ },
    } as const;
    const body = bodyOf(call, shapes, ['url', 'kinds', 'secret']);
    const given = body as unknown as Pick<Hook, 'url' | 'kinds' | 'secret'>;
    if (!URL.canParse(given.url)) return call.body(null, 400);
    return call.json(shown(clinic, courier.add({ ...given, owner: call.var.actor.id })), 201);
  });

  app.get('/hooks', gate.opens({ scope: 'read' }), (call) => {
    plain(call);
    const own = [...courier.hooks.values()].filter(({ owner }) => owner === call.var.actor.id);
    return call.json(own.map((hook) => shown(clinic, hook)));
  });

  app.post('/hooks/:id/resumption', gate.opens({ scope: 'manage' }), (call) => {
    const hook = hookOf(clinic, call);
    plain(call);
    require(hook.status === 'paused', 'wrong-status');
    hook.status = 'active';
    return call.json(shown(clinic, hook));
  });

  app.delete('/hooks/:id', gate.opens({ scope: 'manage', accepts: null }), (call) => {
    const hook = hookOf(clinic, call);
    plain(call);
    courier.remove(hook);
    return call.body(null, 204);
  });
}
