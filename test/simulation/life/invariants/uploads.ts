import type { SiteView } from '../../../../src/shadow/service/types.ts';
import { certificates, type TestCertificate } from '../../certificates.ts';
import { textAt } from '../json.ts';
import type { Scene } from '../scene.ts';
import { certificateClaims, packed } from './certificates.ts';
import type { AlwaysInvariant } from './invariant.ts';
import { covers, leafOf } from './site-reasons.ts';

/** Somebody may have put another certificate on the site since it was looked at. Milliseconds. */
const RACE = 60_000;
/** It may have expired since it was looked at. Milliseconds. */
const LOOKED_AT = 60_000;

/** Nothing is put on a site that is worth less there than what it replaces, whatever the service would say. */
export const uploadedWell: AlwaysInvariant = {
  name: 'good certificates only',
  watch: (scene, say) => ({
    message(moment, { to, verb, route, target, body, process }) {
      if (moment !== 'written' || to !== 'service' || verb === 'GET' || body === undefined) return;
      if (!route.endsWith('webaccel/site/:id/certificate')) return;
      const view = scene.atService.now('sites', /\/site\/(\d+)\//.exec(target)?.[1] ?? '');
      const chain = textAt(JSON.parse(body), 'Certificate', 'CertificateChain') ?? '';
      const certificate = certificates.find((one) => leafOf(one.chain) === leafOf(chain));
      if (!view || !certificate) return;
      const isOfAnother = textAt(JSON.parse(body), 'Certificate', 'Key')?.trim() !== certificate.key.trim();
      const isInOrder = packed(certificate.chain).startsWith(packed(chain));
      const why = isOfAnother
        ? 'the key is that of another'
        : isInOrder
          ? flaw(scene, certificate, view)
          : 'its chain has what did not issue the one before';
      if (why !== undefined) say(`${process} sends ${certificate.name} to the site ${view.domain}: ${why}`);
    },
  }),
};

function flaw(scene: Scene, certificate: TestCertificate, view: SiteView): string | undefined {
  const now = scene.world.epoch + scene.world.now();
  const { name, domains, notBefore, notAfter } = certificate;
  if (!domains.some((domain) => covers(domain, view.asciiDomain) || covers(domain, view.subdomain)))
    return `it is for ${domains.join(', ')}`;
  const account = scene.atService.accountOf(view.id) ?? '';
  const specs = certificateClaims(scene, account, view, scene.world.now()).flatMap(({ versions }) =>
    versions.map(({ spec }) => spec),
  );
  if (name === 'a-temporary' && specs.every((spec) => spec['allowTemporary'] !== true)) return 'it is temporary';
  // A process that has another time has another idea of what is valid.
  if (scene.script.steps.some(({ what }) => what === 'step clock')) return undefined;
  if (notAfter <= now - LOOKED_AT) return 'it has expired';
  if (notBefore > now) return 'it is not valid yet';
  const current = certificates.find((one) => view.current && leafOf(one.chain) === leafOf(view.current.chain));
  const wasEdited = (scene.lastEdit('sites', view.id) ?? -Infinity) > scene.world.now() - RACE;
  if (!current || wasEdited || specs.some((spec) => spec['allowRollback'] === true)) return undefined;
  const isOlder = notBefore < current.notBefore && notAfter <= current.notAfter && current.notAfter > now;
  return isOlder && current.name !== 'a-temporary' ? `${current.name}, which is there, is newer` : undefined;
}
