import type { SiteView } from '../../../../src/shadow/service/types.ts';
import type { Incarnation, Version } from '../intent.ts';
import { at, same, textAt } from '../json.ts';
import type { Claim } from '../reading/claim.ts';
import { originMembers } from '../reading/origin-members.ts';
import { digestOf, siteReadings } from '../reading/site.ts';
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
    if (reading.field === 'origin' && found.some((claim) => isOriginWanted(scene, claim, before, after))) continue;
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

/** What the origin's spec does not mention stays as people set it, while its type does, as far as whoever sends it knows. */
function checkOriginMembers({ scene, say }: About, found: readonly Claim[], before: SiteView, after: SiteView): void {
  const namesType = scene.cause?.message.body?.includes('"OriginType"') === true;
  if (namesType || before.settings.OriginType !== after.settings.OriginType) return;
  for (const reading of originMembers) {
    if (same(reading.part(before), reading.part(after))) continue;
    if (found.some((claim) => isWantedField(scene, claim, reading, before, after))) continue;
    say(
      `${reading.field} of the site ${after.domain} changes from ${text(reading.part(before))} to ${text(reading.part(after))}, and no WebAccelSite asks for that`,
    );
  }
}

/**
 * Of an origin that keeps its type only what is known to differ is sent: what people changed of the rest is put back once it was
 * read. A member that left goes back to its default.
 */
function isOriginWanted(
  scene: Scene,
  { versions, incarnation, since }: Claim,
  before: SiteView,
  after: SiteView,
): boolean {
  if (before.settings.OriginType !== after.settings.OriginType) return false;
  return versions.some((version) => {
    const asked = askedOfOrigin(scene, incarnation, version, after, since);
    return Object.entries(partOf(after)).every(
      ([name, value]) => same(value, partOf(before)[name]) || (asked[name]?.(value) ?? false),
    );
  });
}

function partOf(view: SiteView): Readonly<Record<string, unknown>> {
  return Object(siteReadings.find(({ field }) => field === 'origin')?.part(view));
}

/** Whether a member of the origin is as a version asks for it, where it asks for any. */
function askedOfOrigin(
  scene: Scene,
  { namespace, uid }: Incarnation,
  { spec }: Version,
  { id }: SiteView,
  since: number,
): Readonly<Record<string, (value: unknown) => boolean>> {
  const server = at(spec, 'origin', 'webServer');
  const storage = at(spec, 'origin', 'objectStorage');
  const isOwned = scene.ownership.owns(uid, id, 'origin');
  const either = (asked: unknown, unset: unknown) => (value: unknown) =>
    asked === undefined ? isOwned && value === unset : value === asked;
  if (server !== undefined) {
    return {
      host: (value) => value === textAt(server, 'host'),
      header: either(textAt(server, 'hostHeader'), ''),
      protocol: either(textAt(server, 'protocol')?.toLowerCase(), 'http'),
    };
  }
  if (storage === undefined) return {};
  const secretName = textAt(storage, 'credentialsSecretRef', 'name') ?? '';
  const isOf = (key: string) => (value: unknown) =>
    scene.intent
      .secretValues(namespace, secretName, key, since)
      .some((one) => one !== undefined && digestOf(one) === value);
  const index = at(storage, 'documentIndex');
  return {
    bucket: (value) => value === textAt(storage, 'bucket'),
    endpoint: (value) => value === textAt(storage, 'endpoint'),
    region: (value) => value === textAt(storage, 'region'),
    index: either(index === undefined ? undefined : Number(index === true), 0),
    accessKeyID: isOf('accessKeyID'),
    secretAccessKeyDigest: isOf('secretAccessKey'),
  };
}
