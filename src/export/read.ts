import { ClusterError } from '../cli/errors.ts';
import { adviceAtTerminal, HourRefused, ServicePaused } from '../cli/service/errors.ts';
import type { ServiceAccess } from '../cli/service/open.ts';
import { CloudError } from '../cloud/errors.ts';
import type { EdgelineError } from '../errors.ts';
import type { Finding } from '../import/terraform/result.ts';
import type { ManagedKindName } from '../reconcile/kind-names.ts';
import { addressOf } from './context.ts';
import type { Picture, SeenGateway, SeenSim, SeenSite } from './picture.ts';
import type { Selection } from './select.ts';
import { siteAddress } from './site.ts';

/** A picture, and what could not be looked at. */
export interface Read {
  readonly picture: Picture;
  readonly gaps: readonly Finding[];
  /** Areas of which nothing was seen. */
  readonly unseen: ReadonlySet<ManagedKindName>;
}

type Access = Pick<ServiceAccess, 'reads' | 'reserve' | 'usage' | 'hour' | 'dialect'>;

interface ReadOptions {
  readonly access: Access;
  readonly selection: Selection;
  readonly carriers: boolean;
  /** Says something to whoever waits. */
  readonly say: (text: string) => void;
  /** Told what the lists show, before anything else is read. */
  readonly onListed: (bare: Picture) => Promise<void>;
}

/** Settings, and the access control list. */
const REQUESTS_PER_SITE = 2;
/** Whoever waits for more of these is told. */
const MANY_SIMS = 20;
const MANY_GATEWAYS = 5;

/**
 * Looks at what an account has, as far as its hour and the service allow; what it could not look at is in `gaps`.
 * @throws what was in the way, where nothing at all could be looked at
 */
export async function readPicture(options: ReadOptions): Promise<Read> {
  const { selection } = options;
  const gaps: Finding[] = [];
  const failures: EdgelineError[] = [];
  const unseen = new Set<ManagedKindName>();
  const area = async <T>(address: string, kinds: readonly ManagedKindName[], read: () => Promise<T[]>) => {
    try {
      return await read();
    } catch (error) {
      if (!isGap(error)) throw error;
      gaps.push(gapOf(address, error));
      failures.push(error);
      for (const kind of kinds) unseen.add(kind);
      return [];
    }
  };

  const wantsMobile = selection.has('Sim') || selection.has('MobileGateway');
  const wantsSites = selection.has('WebAccelSite') || selection.has('SiteCertificate');
  const items = wantsMobile ? await area('all SIMs', ['Sim'], () => options.access.reads.sims()) : [];
  const zoned = wantsMobile ? await area('all gateways', ['MobileGateway'], () => options.access.reads.gateways()) : [];
  const sites = wantsSites
    ? await area('all sites', ['WebAccelSite', 'SiteCertificate'], () => listSites(options, gaps))
    : [];
  const [first] = failures;
  const areas = (wantsMobile ? 2 : 0) + (wantsSites ? 1 : 0);
  if (first && failures.length === areas) throw first;
  const bare: Picture = {
    sims: items.map((item) => ({ item })),
    gateways: zoned,
    sites: sites.map((site) => ({ site })),
  };
  selection.check(bare, unseen);
  await options.onListed(bare);
  return {
    picture: {
      gateways: await readGateways(bare.gateways, options, gaps),
      sims: await readCarriers(bare.sims, options, gaps),
      sites: await readSites(bare.sites, options, gaps),
    },
    gaps,
    unseen,
  };
}

async function listSites({ access, say }: ReadOptions, gaps: Finding[]) {
  say('The list of sites takes 1 web acceleration request.');
  const { sites, missing } = await access.reads.sites();
  if (missing > 0) {
    gaps.push({
      address: `${missing} more sites`,
      why: 'the service does not list them',
      advice: 'Write their manifests by hand, with siteID.',
    });
  }
  return sites;
}

/** All of them, whatever was selected: they say where the SIMs are. */
async function readGateways(
  all: readonly SeenGateway[],
  { access, say }: ReadOptions,
  gaps: Finding[],
): Promise<SeenGateway[]> {
  if (all.length >= MANY_GATEWAYS)
    say(`The settings of ${all.length} gateways take some requests each, three a second: about ${all.length} seconds.`);
  const seen: SeenGateway[] = [];
  for (const one of all) {
    const { zone, gateway } = one;
    const reading = await orGap(gaps, addressOf('gateway', gateway), 'details', () =>
      access.reads.gateway(zone, gateway.id, access.dialect),
    );
    seen.push({ ...one, reading });
  }
  return seen;
}

async function readCarriers(
  all: readonly SeenSim[],
  { access, selection, carriers, say }: ReadOptions,
  gaps: Finding[],
): Promise<readonly SeenSim[]> {
  const wanted = carriers ? all.filter((one) => selection.sim(one)) : [];
  if (wanted.length > MANY_SIMS) {
    say(`The carriers of ${wanted.length} SIMs take as many requests, three a second; --no-carriers leaves them out.`);
  }
  const read = new Map<SeenSim, SeenSim['carriers']>();
  for (const one of wanted) {
    const address = addressOf('SIM', one.item);
    read.set(one, await orGap(gaps, address, 'carriers', () => access.reads.carriers(one.item.id)));
  }
  return all.map((one) => ({ ...one, carriers: read.get(one) }));
}

async function readSites(
  all: readonly SeenSite[],
  { access, selection, say }: ReadOptions,
  gaps: Finding[],
): Promise<SeenSite[]> {
  const wanted = all.filter((one) => selection.site(one));
  const { fit, why } = await fittingIn(wanted.length * REQUESTS_PER_SITE, access);
  const some = wanted.slice(0, Math.floor(fit / REQUESTS_PER_SITE));
  if (some.length > 0) {
    const of = some.length === wanted.length ? `${some.length} sites` : `${some.length} of ${wanted.length} sites`;
    say(`The settings of ${of} take ${some.length * REQUESTS_PER_SITE} web acceleration requests.`);
  }
  const refused = await orRefused(() => access.reserve(some.length * REQUESTS_PER_SITE));
  const seen = new Map<SeenSite, SeenSite>();
  for (const one of wanted) {
    const address = siteAddress(one);
    const reason = refused ?? (some.includes(one) ? undefined : why);
    if (reason) {
      gaps.push({ ...gapOf(address, reason), attribute: 'settings' });
      continue;
    }
    const detail = await orGap(gaps, address, 'settings', () => access.reads.site(one.site.id));
    const accessControl = detail && (await orGap(gaps, address, 'accessControl', () => access.reads.acl(one.site.id)));
    seen.set(one, { ...one, detail, accessControl });
  }
  return all.map((one) => seen.get(one) ?? one);
}

/** How many of so many web acceleration requests may be sent, and why not more. */
async function fittingIn(requests: number, access: Access): Promise<{ fit: number; why: EdgelineError | undefined }> {
  if (requests === 0) return { fit: 0, why: undefined };
  const { claimed, most } = access.usage();
  const { room, limit, kept } = await access.hour();
  const fit = Math.min(requests, most - claimed, room);
  const total = requests + claimed;
  const why =
    room < most - claimed
      ? new HourRefused(
          `the hour has room for ${room} more web acceleration requests, and ${kept} of its ${limit} are kept for changes`,
          'Run this again later, or for some of the sites.',
        )
      : new HourRefused(
          `at most ${most} web acceleration requests may be sent, and all of this takes ${total}`,
          `Run this again with --max-requests ${total}, or for some of the sites.`,
        );
  return { fit: Math.max(0, fit), why };
}

async function orRefused(ask: () => Promise<void>): Promise<EdgelineError | undefined> {
  try {
    await ask();
    return undefined;
  } catch (error) {
    if (isGap(error)) return error;
    throw error;
  }
}

async function orGap<T>(
  gaps: Finding[],
  address: string,
  attribute: string,
  read: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!isGap(error)) throw error;
    gaps.push({ ...gapOf(address, error), attribute });
    return undefined;
  }
}

/** What keeps a command from seeing something, and not from seeing all else. */
function isGap(error: unknown): error is EdgelineError {
  return (
    error instanceof CloudError ||
    error instanceof HourRefused ||
    error instanceof ServicePaused ||
    error instanceof ClusterError
  );
}

function gapOf(address: string, error: EdgelineError): Finding {
  return { address, why: `not looked at: ${error.message}`, advice: adviceAtTerminal(error) };
}
