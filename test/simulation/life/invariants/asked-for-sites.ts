import type { SiteView } from '../../../../src/shadow/service/types.ts';
import { at, same } from '../json.ts';
import type { Claim } from '../reading/claim.ts';
import { originMembers } from '../reading/origin-members.ts';
import { siteReadings } from '../reading/site.ts';
import type { Scene } from '../scene.ts';
import { certificateClaims, isAskedFor } from './certificates.ts';
import { type About, isWantedField, text } from './wanted-field.ts';

export function checkSite(about: About, before: SiteView | undefined, after: SiteView | undefined): void {
  const { scene, change, moment, say } = about;
  if (!before || !after)
    return say(`site ${(before ?? after)?.domain} ${before ? 'is deleted' : 'is created'}, which nobody may ask for`);
  const found = scene.ownership.siteClaims(change.account, before, moment);
  for (const reading of siteReadings) {
    if (same(reading.part(before), reading.part(after))) continue;
    if (found.some((claim) => isWantedField(scene, claim, reading, before, after))) continue;
    if (reading.field === 'origin' && found.some((claim) => resetsOrigin(scene, claim, after))) continue;
    say(
      `${reading.field} of the site ${after.domain} changes from ${text(reading.part(before))} to ${text(reading.part(after))}, and no WebAccelSite asks for that`,
    );
  }
  checkOriginMembers(about, found, before, after);
  if (same(before.current?.chain, after.current?.chain)) return;
  if (
    !certificateClaims(scene, change.account, after, moment).some((claim) =>
      isAskedFor(scene, claim, after.current?.chain),
    )
  ) {
    say(`the certificate of the site ${after.domain} changes, and no SiteCertificate has this one in its Secret`);
  }
}

/** What the origin's spec does not mention stays as people set it, while its type does. */
function checkOriginMembers({ scene, say }: About, found: readonly Claim[], before: SiteView, after: SiteView): void {
  if (before.settings.OriginType !== after.settings.OriginType) return;
  for (const reading of originMembers) {
    if (same(reading.part(before), reading.part(after))) continue;
    if (found.some((claim) => isWantedField(scene, claim, reading, before, after))) continue;
    say(
      `${reading.field} of the site ${after.domain} changes from ${text(reading.part(before))} to ${text(reading.part(after))}, and no WebAccelSite asks for that`,
    );
  }
}

/** A member that left the origin goes back to its default. */
function resetsOrigin(scene: Scene, { versions, incarnation }: Claim, { settings, id }: SiteView): boolean {
  if (!scene.ownership.owns(incarnation.uid, id, 'origin')) return false;
  return versions.some(({ spec }) => {
    const server = at(spec, 'origin', 'webServer');
    const storage = at(spec, 'origin', 'objectStorage');
    if (storage) return at(storage, 'documentIndex') === undefined && settings.DocIndex === 0;
    const isHeaderReset = at(server, 'hostHeader') === undefined && settings.HostHeader === '';
    const isProtocolReset = at(server, 'protocol') === undefined && settings.OriginProtocol === 'http';
    return isHeaderReset || isProtocolReset;
  });
}
