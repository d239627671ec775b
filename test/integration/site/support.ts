import { expect } from 'vitest';
import { eventually } from '../../support/kubernetes.ts';
import { createWorld, type World, type WorldOptions } from '../../support/world.ts';

export const SITE_ID = '113300000301';
export const DOMAIN = 'www.example.jp';

/** A site as the simulator is seeded with: a web server as origin, nothing else set. */
export const seededSite = {
  id: SITE_ID,
  name: 'www',
  domain: DOMAIN,
  settings: { Origin: 'origin.example.jp', HostHeader: DOMAIN },
} as const;

/** A world whose account has one site; the service doesn't count requests. */
export function siteWorld(options: WorldOptions = {}): Promise<World> {
  const settings = { webAccelLimit: 100_000, ...options.settings };
  return createWorld({ prefix: 'site', seed: { sites: [seededSite] }, ...options, settings });
}

export function site(spec: object, name = 'www'): object {
  return {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'WebAccelSite',
    metadata: { name },
    spec: { ...('siteID' in spec ? {} : { domain: DOMAIN }), ...spec },
  };
}

/** Resolves after the list of sites was taken twice more. */
export async function settleSites(world: World): Promise<void> {
  const lists = async () => (await world.requests()).filter(({ route }) => route === 'GET webaccel/site').length;
  const before = await lists();
  await eventually(async () => expect(await lists()).toBeGreaterThanOrEqual(before + 2));
}

/** Exactly these calls change something at the service, and nothing follows. */
export async function expectSiteWrites(world: World, calls: readonly string[]): Promise<void> {
  await eventually(async () => expect(await world.writes()).toEqual(calls));
  await settleSites(world);
  expect(await world.writes()).toEqual(calls);
}

export const put = (settings: object) => `PUT webaccel/site/:id ${JSON.stringify({ Site: settings })}`;

/** Has the operator look at everything of the resource again. */
export function lookAgain(world: World, kind: string, name: string): Promise<void> {
  return world.annotate(kind, name, { 'edgeline.dev/reconcile-at': `${Date.now()}` });
}
