/** A place where the Go program of test/control-plane is written otherwise for another version of Kubernetes. */
interface Adaptation {
  /** The minor versions it is for: from, to, both included. */
  readonly from?: number;
  readonly to?: number;
  readonly file: string;
  readonly instead: string;
  readonly write: string;
}

const componentBase = 'basecompat "k8s.io/component-base/compatibility"';
const registrySet = `	reg := s.GenericServerRunOptions.ComponentGlobalsRegistry
	if err := reg.Set(); err != nil {
		return err
	}
`;

/**
 * The project's own version has none. They are made in a copy, and not by build tags in the program: a change there has the
 * control plane built anew by everybody.
 */
export const adaptations: readonly Adaptation[] = [
  // The registry of components came with emulated versions, and moved twice.
  { to: 30, file: 'apiserver.go', instead: componentBase, write: 'utilfeature "k8s.io/apiserver/pkg/util/feature"' },
  { to: 30, file: 'apiserver.go', instead: registrySet, write: '' },
  {
    to: 30,
    file: 'apiserver.go',
    instead: 'reg.FeatureGateFor(basecompat.DefaultKubeComponent)',
    write: 'utilfeature.DefaultFeatureGate',
  },
  {
    from: 31,
    to: 31,
    file: 'apiserver.go',
    instead: componentBase,
    write: 'basecompat "k8s.io/apiserver/pkg/util/version"',
  },
  {
    from: 32,
    to: 32,
    file: 'apiserver.go',
    instead: componentBase,
    write: 'basecompat "k8s.io/component-base/featuregate"',
  },
  // Contexts and loggers came to one function after another.
  { to: 30, file: 'apiserver.go', instead: 'kas.Run(ctx, completed)', write: 'kas.Run(completed, ctx.Done())' },
  { to: 31, file: 'apiserver.go', instead: 's.Complete(ctx)', write: 's.Complete()' },
  { to: 31, file: 'controllers.go', instead: 'gc.Run(ctx, 4, 5*time.Second)', write: 'gc.Run(ctx, 4)' },
  { to: 32, file: 'controllers.go', instead: 'logger := klog.FromContext(ctx)', write: '_ = klog.FromContext(ctx)' },
  { to: 32, file: 'controllers.go', instead: 'NewTokensController(logger, core', write: 'NewTokensController(core' },
  {
    from: 35,
    file: 'controllers.go',
    instead: 'NewServiceAccountsController(core',
    write: 'NewServiceAccountsController(logger, core',
  },
];

/** The oldest minor version that they reach to. */
export const oldestMinor = 30;

/**
 * A Go file of the control plane as it is written for a version.
 *
 * @throws Error when what is to be written otherwise is not in it: then the program has changed, and so must the adaptation.
 */
export function adapted(file: string, source: string, version: string): string {
  const minor = minorOf(version);
  return adaptations
    .filter((one) => one.file === file && (one.from ?? 0) <= minor && minor <= (one.to ?? Infinity))
    .reduce((text, { instead, write }) => {
      if (!text.includes(instead)) {
        throw new Error(`${file} has no ${instead}: write test/versions/adaptations.ts anew for Kubernetes ${version}`);
      }
      return text.replaceAll(instead, write);
    }, source);
}

/** Of `1.32.13` the 32. */
export function minorOf(version: string): number {
  return Number(version.split('.')[1]);
}
