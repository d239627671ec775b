import { X509Certificate } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  certificateResource,
  type Generation,
  type SiteCertificate,
} from '../../../src/kinds/site-certificate/schema.ts';
import { SECRETS } from '../../../src/kubernetes/resource.ts';
import { createIntermediate, createRoot, type Issued, issue, tlsSecret } from '../../support/certificates.ts';
import { eventually } from '../../support/kubernetes.ts';
import { onScene, type Scene } from './scene.ts';
import { interrupt } from './story.ts';

/** The control port shows more; this is what a certificate is about. */
interface StoredSite {
  readonly id: string;
  readonly account: string;
  readonly current: { readonly chain: string } | null;
  readonly previous: { readonly chain: string } | null;
}

const POST = 'POST webaccel/site/:id/certificate';
const PUT = 'PUT webaccel/site/:id/certificate';

let first: Issued;
let second: Issued;
let third: Issued;
let names: ReadonlyMap<string, string>;
beforeAll(async () => {
  const issuer = await createIntermediate(await createRoot());
  first = await issue(issuer, ['*.example.jp']);
  second = await issue(issuer, ['*.example.jp']);
  third = await issue(issuer, ['*.example.jp']);
  names = new Map([
    [first.fingerprint, 'first'],
    [second.fingerprint, 'second'],
    [third.fingerprint, 'third'],
  ]);
});

async function storedSite(scene: Scene, subject: string): Promise<StoredSite | undefined> {
  const { sites } = await scene.state();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the control port is this repository's own
  const all = Object.values(sites) as unknown as StoredSite[];
  return all.find(({ account }) => account === subject);
}

/** Which certificates the site and the status show, and what reached the service to bring them there. */
async function look(scene: Scene, subject: string): Promise<object> {
  const [site, uploads, { status }] = await Promise.all([
    storedSite(scene, subject),
    scene.writes(subject),
    scene.kube.get<SiteCertificate>(certificateResource, scene.namespace, subject),
  ]);
  const { current, previous, applied, pending, conditions = [] } = status ?? {};
  return {
    site: [stored(site?.current), stored(site?.previous)],
    uploads,
    status: [shown(current), shown(previous)],
    applied: names.get(String(applied?.certificate)),
    pending,
    isRecorded: status?.id === site?.id,
    conditions: conditions.map(({ type, status }) => `${type}=${status}`),
  };
}

function stored(generation: StoredSite['current'] | undefined): string | undefined {
  if (!generation) return undefined;
  return names.get(new X509Certificate(generation.chain).fingerprint256.replaceAll(':', '').toLowerCase());
}

function shown(generation: Generation | undefined): string | undefined {
  return names.get(generation?.sha256Fingerprint ?? '');
}

/** The calls, or what tells of them, that are about a certificate: how often lists are read depends on the moment. */
function aboutCertificates(calls: readonly string[]): string[] {
  const about = calls.filter((call) => /SiteCertificate|\/certificate\b/.test(call));
  return about.map((call) => call.replace(/ \/.*(?=webaccel\/)/, ' ').replace('webaccel/1.0', 'webaccel'));
}

/** A certificate that is on its site, after these uploads. */
function ready(generations: readonly (string | undefined)[], uploads: readonly string[]): object {
  return {
    site: generations,
    uploads,
    status: generations,
    applied: generations[0],
    pending: undefined,
    isRecorded: true,
    conditions: ['Ready=True', 'Synced=True'],
  };
}

function teller(scene: Scene) {
  const secretOf = (subject: string) => `${subject}-tls`;
  return {
    look: (subject: string) => look(scene, subject),
    async createSite(subject: string): Promise<{ id: string }> {
      await scene.createAccount(subject);
      const domain = `${subject}.example.jp`;
      const settings = { Origin: 'origin.example.jp', HostHeader: domain };
      return scene.control.add('sites', { account: subject, name: subject, domain, settings });
    },
    async createCertificate(subject: string, siteID: string): Promise<void> {
      await scene.kube.create(SECRETS, scene.namespace, {
        ...tlsSecret(secretOf(subject), first),
        metadata: { name: secretOf(subject) },
      });
      await scene.kube.create(certificateResource, scene.namespace, {
        apiVersion: 'edgeline.dev/v1alpha1',
        kind: 'SiteCertificate',
        metadata: { name: subject },
        spec: {
          accountRef: { kind: 'CloudAccount', name: subject },
          siteID,
          secretRef: { name: secretOf(subject) },
        },
      });
    },
    async renew(subject: string, { chain, key }: Issued): Promise<void> {
      const stringData = { 'tls.crt': chain, 'tls.key': key };
      await scene.kube.mergePatch(SECRETS, scene.namespace, secretOf(subject), { stringData });
    },
    comesTo: (subject: string, end: object) =>
      eventually(async () => expect(await look(scene, subject)).toEqual(end), { timeoutSeconds: 90 }),
  };
}

const asFirst = ready(['first', undefined], [POST]);
const asSecond = ready(['second', 'first'], [POST, PUT]);

describe.concurrent('an operator killed at whatever call', () => {
  /** A certificate on its site, to be renewed. */
  function renewal(scene: Scene) {
    const { look, createSite, createCertificate, renew, comesTo } = teller(scene);
    return {
      look,
      async begin(subject: string) {
        const { id } = await createSite(subject);
        await createCertificate(subject, id);
        await comesTo(subject, asFirst);
      },
      act: (subject: string) => renew(subject, second),
      end: asSecond,
    };
  }

  test('while it renews a certificate has, started again, uploaded it once and kept the true previous one', () =>
    onScene(async (scene) => {
      const { calls } = await interrupt(scene, renewal(scene));
      expect(aboutCertificates(calls)).toEqual([
        'GET webaccel/site/:id/certificate',
        PUT,
        'PATCH SiteCertificate/status',
      ]);
    }));

  test('while it renews a certificate that is renewed again meanwhile keeps as previous what was on the site', () =>
    onScene(async (scene) => {
      const upon = {
        first: ready(['third', 'first'], [POST, PUT]),
        second: ready(['third', 'second'], [POST, PUT, PUT]),
      };
      const story = renewal(scene);
      const { writes } = await interrupt(scene, {
        ...story,
        // The second is previous exactly where it came to the site at all.
        async look(subject) {
          const seen = await story.look(subject);
          return isDeepStrictEqual(seen, upon.first) ? upon.second : seen;
        },
        meanwhile: (subject) => teller(scene).renew(subject, third),
        endAfterAll: upon.second,
      });
      const counts = [...writes].map(([title, all]) => [aboutCertificates([title])[0], all.length]);
      expect(Object.fromEntries(counts.filter(([title]) => title !== undefined))).toEqual({
        'before GET webaccel/site/:id/certificate, which lost': 2,
        'after GET webaccel/site/:id/certificate': 2,
        'before PUT webaccel/site/:id/certificate, which lost': 2,
        'before PUT webaccel/site/:id/certificate, which arrives': 3,
        'before PUT webaccel/site/:id/certificate, which arrives late': 3,
        'after PUT webaccel/site/:id/certificate': 3,
        'before PATCH SiteCertificate/status, which lost': 3,
        'before PATCH SiteCertificate/status, which arrives': 3,
        'after PATCH SiteCertificate/status': 3,
      });
    }));

  test('while it puts the first certificate on a site has, started again, uploaded it once', () =>
    onScene(async (scene) => {
      const { look, createSite, createCertificate } = teller(scene);
      const ids = new Map<string, string>();
      const { calls } = await interrupt(scene, {
        look,
        async begin(subject) {
          ids.set(subject, (await createSite(subject)).id);
        },
        act: (subject) => createCertificate(subject, ids.get(subject) ?? ''),
        end: asFirst,
      });
      expect(aboutCertificates(calls).filter((call) => !call.startsWith('GET '))).toEqual([
        'PATCH SiteCertificate',
        POST,
        'PATCH SiteCertificate/status',
      ]);
    }));
});
