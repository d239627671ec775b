import type { SiteView } from '../../../../src/shadow/service/types.ts';
import { textAt } from '../json.ts';
import { type Claim, claims } from '../reading/claim.ts';
import { meansSite } from '../reading/site.ts';
import { isByOperator, type Scene } from '../scene.ts';
import type { AlwaysInvariant } from './invariant.ts';

/** Somebody may put the same certificate on a site by hand just then. Milliseconds. */
const RACE = 60_000;

/** The SiteCertificates that mean a site, by its ID or by a WebAccelSite, and do not know that it has another one. */
export function certificateClaims(scene: Scene, account: string, site: SiteView, moment: number): Claim[] {
  return claims(scene, 'sitecertificates', account, moment).filter((claim) => {
    const { incarnation, versions, since } = claim;
    if (scene.ownership.isOthers(claim, site.id)) return false;
    return versions.some(({ spec }) => {
      if (spec['siteID'] !== undefined) return spec['siteID'] === site.id;
      const sites = scene.intent.named('webaccelsites', incarnation.namespace, textAt(spec, 'siteRef', 'name') ?? '');
      return sites.some(
        (one) =>
          (one.goneAt === undefined || one.goneAt >= since) && one.versions.some((version) => meansSite(version, site)),
      );
    });
  });
}

/** Whether the chain was in the Secret of a SiteCertificate while the change was decided. */
export function isAskedFor(scene: Scene, { incarnation, versions, seen }: Claim, chain: string | undefined): boolean {
  return versions.some(({ spec }) => {
    const name = textAt(spec, 'secretRef', 'name') ?? '';
    const values = scene.intent.secretValues(incarnation.namespace, name, 'tls.crt', seen);
    return values.some((value) => value !== undefined && packed(value) === packed(chain ?? ''));
  });
}

/** PEM without what means nothing. */
export function packed(pem: string): string {
  return pem.replaceAll(/\s/g, '');
}

/** Every upload moves the current certificate to the previous generation, so none is ever sent twice. */
export const uploadedOnce: AlwaysInvariant = {
  name: 'certificate uploaded once',
  watch: (scene, say) => ({
    changed(change) {
      if (!isByOperator(change) || !change.route.endsWith('webaccel/site/:id/certificate')) return;
      if (scene.cause?.isSecond) return;
      for (const { kind, id, before, after } of change.objects) {
        if (kind !== 'sites' || !before?.current || !after?.current) continue;
        if (packed(before.current.chain) !== packed(after.current.chain)) continue;
        if (scene.world.now() - (scene.lastEdit('sites', id) ?? -Infinity) < RACE) continue;
        say(
          `${change.from} sends the certificate that the site ${after.domain} has already: the one before it is lost`,
        );
      }
    },
  }),
};
