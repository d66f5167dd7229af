import { breaking, harmless, type Rule } from '../rule.ts';

/** The ways on which events leave (language §6). */
export const delivery: Rule = {
  name: 'delivery',
  section: '6',
  at: [
    'events/delivery/*',
    ...['order', 'media', 'webhook', 'where', 'sign', 'secret', 'stream', 'broker'].map(
      (key) => `events/delivery/*/${key}`,
    ),
  ],
  judge: ({ path, before, after }) => {
    if (path.length > 3) return [breaking('events reach their receivers in another way')];
    if (before && after) return [];
    return [after ? harmless('one more way') : breaking('its receivers get no events any more')];
  },
};
