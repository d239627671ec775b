import type { World } from './model.ts';

/** The kinds of objects an account has. */
export const kinds = ['sims', 'gateways', 'sites', 'servers'] as const;
export type Kind = (typeof kinds)[number];

/** Notes that an object was made, changed or removed. To be called with every change: only what is noted is kept. */
export function touch(world: World, kind: Kind, id: string): void {
  world.touched.objects.add(`${kind}/${id}`);
}

/** Notes a web acceleration request, at a moment in milliseconds since the Unix epoch. */
export function touchBudget(world: World, at: number): void {
  world.touched.webAccelRequests.push(at);
}

/** What was touched since the last look, as pairs of kind and ID; forgets it. */
export function takeTouched(world: World): { objects: [kind: Kind, id: string][]; webAccelRequests: number[] } {
  const { objects, webAccelRequests } = world.touched;
  if (objects.size === 0 && webAccelRequests.length === 0) return { objects: [], webAccelRequests: [] };
  const taken = {
    objects: [...objects].flatMap((text): [Kind, string][] => {
      const [kindText, id = ''] = text.split('/');
      const kind = kinds.find((one) => one === kindText);
      return kind ? [[kind, id]] : [];
    }),
    webAccelRequests: [...webAccelRequests],
  };
  objects.clear();
  webAccelRequests.length = 0;
  return taken;
}
