import { put } from '../draft.ts';
import { alter, appear, introduce, removeAt, role } from './parts.ts';
import { oneAccount, renewal, SITE_ID, siteSeed } from './parts-sites.ts';
import type { Story } from './story.ts';

const wanted = { siteID: SITE_ID, secretRef: { name: 'tls-a' } };
const certificate = role('sitecertificates', 'certificate-1', wanted);
const UPLOAD = 'PUT webaccel/site/:id/certificate';

/** The service holds an upload, and meanwhile the site goes to another resource, or is only to be looked at for a while. */
export const handedOn: Story = {
  name: 'handed on',
  wishes: (random) => ({
    ...oneAccount,
    setting: random.chance(0.3)
      ? { replicas: 2, leaderElect: true, trouble: 420_000 }
      : { replicas: 1, leaderElect: false, trouble: 420_000 },
    east: { sites: siteSeed({}, random.chance(0.8) ? 'a-1' : undefined) },
  }),
  cast: () => [certificate],
  arrives: true,
  tell(draft) {
    const { random } = draft;
    put(draft, renewal('a-1'));
    appear(draft, certificate);
    draft.at = 20_000 + random.int(20_000);
    const milliseconds = 5000 + random.int(165_000);
    const held = { what: 'fault', to: 'service', fault: 'delayed-arrival', count: 1, skip: 0, lasts: 60_000 } as const;
    put(draft, { ...held, route: UPLOAD, milliseconds });
    // The leaf alone, of the certificate that is there: what is put back then is what a look shows.
    const [name, leaf] = random.pick([['a-2', false] as const, ['a-1', true] as const]);
    put(draft, renewal(name, leaf), 1 + random.int(2000));
    if (random.chance(0.6))
      put(draft, { what: 'kill', process: 0, on: undefined, restart: 500 }, 3000 + random.int(10_000));
    const begun = 3000 + random.int(30_000);
    const ended = begun + random.pick([100, 5000, 20_000, 100_000]);
    switch (random.pick(['anew', 'another', 'observed', 'renewed'] as const)) {
      case 'anew':
        removeAt(draft, certificate, begun);
        appear(draft, certificate, random.chance(0.3) ? { managementPolicy: 'Observe' } : {}, ended);
        alter(draft, certificate, { managementPolicy: 'Manage' }, ended + 20_000);
        break;
      case 'another':
        removeAt(draft, certificate, begun);
        introduce(draft, 'sitecertificates', 'certificate-2', wanted, ended);
        break;
      case 'observed':
        alter(draft, certificate, { managementPolicy: 'Observe' }, begun);
        alter(draft, certificate, { managementPolicy: 'Manage' }, ended);
        break;
      case 'renewed':
        put(draft, renewal(random.pick(['a-1', 'a-3']), random.chance(0.3)), begun);
        if (random.chance(0.5)) put(draft, renewal(name, random.chance(0.3)), ended);
    }
  },
};
