import type { AccountChoice } from '../cli/service/account.ts';
import { type OpenOptions, openService } from '../cli/service/open.ts';
import { type CliSurroundings, type ClusterFlags, openSession } from '../cli/session.ts';
import { harmless } from '../cli/text/harmless.ts';
import type { Manifest } from '../import/terraform/result.ts';
import { convert, type Exported } from './convert.ts';
import { type Present, presentOf } from './present.ts';
import { readPicture } from './read.ts';
import { selectionOf, type Wish } from './select.ts';
import { spelledAsThere } from './spelled.ts';
import { readThere } from './there.ts';

/** What `edgeline export` is asked for. */
export interface ExportRequest extends ClusterFlags, Pick<OpenOptions, 'maxRequests'> {
  readonly wishes: readonly Wish[];
  readonly tags: readonly string[];
  readonly account: AccountChoice | undefined;
  readonly observe: boolean;
  readonly carriers: boolean;
  /** Told which manifests there will be, before most is asked of the service; what it throws ends the export. */
  readonly onListed: (manifests: readonly Pick<Manifest, 'kind' | 'name'>[]) => Promise<void>;
}

/** What came of it. */
export interface ExportResult extends Exported {
  /** The account, in words. */
  readonly from: string;
  readonly requests: { readonly sent: number; readonly claimed: number };
  /** Where the manifests would be applied, and what of them it has. */
  readonly namespace: string;
  readonly present: Present | undefined;
}

/** Looks at an account and makes manifests of it. Writes nothing, neither in the cluster (but for the hour) nor at the service. */
export async function runExport(request: ExportRequest, surroundings: CliSurroundings): Promise<ExportResult> {
  const { account, observe, carriers, maxRequests } = request;
  const say = (text: string) => void surroundings.err.write(`${harmless(text)}\n`);
  const selection = selectionOf(request.wishes, request.tags);
  const session = await openSession(request, surroundings);
  try {
    const access = await openService(
      session,
      { account, maxRequests, onPause: (seconds) => say(`The service asks for a pause of ${seconds} seconds.`) },
      surroundings,
    );
    try {
      const { dialect } = access;
      const { ref, namespace } = access.account;
      const isDefault = account === undefined || (ref.kind === 'CloudAccount' && ref.name === 'default');
      const shape = { accountRef: isDefault ? undefined : ref, observe, dialect };
      const { picture, gaps } = await readPicture({
        access,
        selection,
        carriers,
        say,
        onListed: (bare) => request.onListed(convert(bare, selection, shape).manifests),
      });
      const made = convert(picture, selection, shape);
      const home = session.namespace ?? 'default';
      const sites = picture.sites.map(({ site }) => site);
      const there = await readThere(session, home, made.manifests);
      return {
        ...made,
        manifests: spelledAsThere(there, made.manifests, sites),
        findings: [...gaps, ...made.findings],
        from: `the ${ref.kind} ${ref.name}${namespace === undefined ? '' : ` in namespace ${namespace}`}`,
        requests: access.usage(),
        namespace: home,
        present: presentOf(there, made.manifests, sites),
      };
    } finally {
      await access.close();
    }
  } finally {
    await session.close();
  }
}
