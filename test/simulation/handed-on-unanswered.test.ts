import { expect, it } from 'vitest';
import { createSiteFleet, SECOND } from './site-fleet.ts';

/** What a resource that is gone has sent, and nobody answered, may arrive when another has its site. */

const isPut = ({ route }: { readonly route: string }) => route === 'PUT webaccel/site/:id';

it.each([false, true].flatMap((killed) => [1, 3, 4].map((late) => ({ killed, late }))))(
  'the next resource of a site has the last word beside a write without an answer: %o',
  async ({ killed, late }) => {
    const { world, all, createSites, change, letPass, pathOf, create } = createSiteFleet(['fleet']);
    const [one] = all;
    if (!one) throw new Error('there is a site');
    const operator = world.start('operator');
    createSites();
    await letPass(60 * SECOND);
    world.arm({ to: 'service', fits: isPut, count: 1, fault: 'delayed-arrival', milliseconds: late * SECOND });
    change(one, 60);
    await letPass(0.5 * SECOND);
    if (killed) operator.kill(SECOND);
    world.apiserver.handle({ method: 'DELETE', path: `${pathOf(one)}/${one.name}`, user: 'user' });
    await letPass(0.2 * SECOND);
    create(pathOf(one), {
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: 'WebAccelSite',
      metadata: { name: 'next' },
      spec: { siteID: one.site.id, managementPolicy: 'Manage', defaultCacheTTL: 120 },
    });
    await letPass(15 * SECOND);
    expect(world.service.world('fleet').sites.get(one.site.id)).toMatchObject({ settings: { DefaultCacheTTL: 120 } });
  },
);
