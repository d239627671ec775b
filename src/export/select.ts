import { UsageError } from '../cli/errors.ts';
import { type KindName, parseTarget } from '../cli/kinds.ts';
import { harmless } from '../cli/text/harmless.ts';
import { EdgelineError } from '../errors.ts';
import { type ManagedKindName, managedKindNames } from '../reconcile/kind-names.ts';
import type { Picture, SeenGateway, SeenSim, SeenSite } from './picture.ts';

/** What a person asks for: `KIND`, or `KIND/NAME` with a name, an ID, an ICCID or a domain of the service. */
export interface Wish {
  readonly kind: ManagedKindName;
  readonly name: string | undefined;
}

/** What was named is not there. */
class NotInAccount extends EdgelineError {
  readonly code = 'NotInAccount';
}

/** Which resources become manifests. */
export interface Selection {
  sim(seen: Pick<SeenSim, 'item'>): boolean;
  gateway(seen: Pick<SeenGateway, 'gateway'>): boolean;
  site(seen: Pick<SeenSite, 'site'>): boolean;
  certificate(seen: Pick<SeenSite, 'site'>): boolean;
  /** Whether any of that kind may be among them. */
  has(kind: ManagedKindName): boolean;
  /** Throws `NotInAccount` for the first wish that nothing in the account is meant by. */
  check(picture: Picture, unseen: ReadonlySet<ManagedKindName>): void;
}

/** Without a word, all but certificates, which need Secrets that a person has to make. */
const ALL: readonly Wish[] = managedKindNames
  .filter((kind) => kind !== 'SiteCertificate')
  .map((kind) => ({ kind, name: undefined }));

/** Reads the arguments of a command line. Throws `UsageError`. */
export function parseWish(text: string): Wish {
  const slash = text.indexOf('/');
  const word = slash < 0 ? text : text.slice(0, slash);
  const kind = parseTarget(word)
    .kinds.map((one) => one.kind)
    .find(isManaged);
  if (!kind)
    throw new UsageError(
      `${harmless(word)} is nothing that an account has`,
      'Write sim, gateway, site or certificate.',
    );
  const name = slash < 0 ? undefined : text.slice(slash + 1);
  if (name === '')
    throw new UsageError(`"${harmless(text)}" names nothing`, 'Write KIND or KIND/NAME, for example sim/truck-17.');
  return { kind, name };
}

/** `tags`: only what has all of them; sites have none. */
export function selectionOf(wishes: readonly Wish[], tags: readonly string[]): Selection {
  const wanted = wishes.length === 0 ? ALL : wishes;
  const isWanted = (kind: ManagedKindName, names: readonly (string | undefined)[]) =>
    wanted.some((wish) => wish.kind === kind && (wish.name === undefined || names.includes(wish.name)));
  const isTagged = (own: readonly string[]) => tags.every((tag) => own.includes(tag));
  return {
    sim: ({ item }) => isWanted('Sim', namesOfSim({ item })) && isTagged(item.tags),
    gateway: ({ gateway }) => isWanted('MobileGateway', [gateway.id, gateway.name]) && isTagged(gateway.tags),
    site: ({ site }) => isWanted('WebAccelSite', namesOfSite({ site })) && tags.length === 0,
    certificate: ({ site }) => isWanted('SiteCertificate', namesOfSite({ site })) && tags.length === 0,
    has: (kind) =>
      wanted.some((wish) => wish.kind === kind) && (tags.length === 0 || kind === 'Sim' || kind === 'MobileGateway'),
    check({ sims, gateways, sites }, unseen) {
      const names: Record<ManagedKindName, readonly (string | undefined)[]> = {
        Sim: sims.flatMap(namesOfSim),
        MobileGateway: gateways.flatMap(({ gateway }) => [gateway.id, gateway.name]),
        WebAccelSite: sites.flatMap(namesOfSite),
        SiteCertificate: sites.filter(({ site }) => site.hasCertificate).flatMap(namesOfSite),
      };
      const lost = wanted.find(
        ({ kind, name }) => name !== undefined && !unseen.has(kind) && !names[kind].includes(name),
      );
      if (!lost) return;
      throw new NotInAccount(
        `the account has no ${lost.kind} ${harmless(lost.name ?? '')}`,
        'Write its name, its ID, the ICCID of a SIM or the domain of a site, as the control panel shows them.',
      );
    },
  };
}

const isManaged = (kind: KindName): kind is ManagedKindName => managedKindNames.some((one) => one === kind);

const namesOfSim = ({ item }: Pick<SeenSim, 'item'>) => [item.id, item.name, item.iccid, item.status?.iccid];

const namesOfSite = ({ site: { id, name, domain, asciiDomain, subdomain } }: Pick<SeenSite, 'site'>) => [
  id,
  name,
  domain,
  asciiDomain,
  subdomain,
];
