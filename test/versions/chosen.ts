import { InvalidArgumentError } from 'commander';
import { minorOf, oldestMinor } from './adaptations.ts';

/** The newest patches of which a Go module proxy had every module; the project's own is in go.mod. */
const pinned = ['1.30.14', '1.31.0', '1.32.13', '1.33.13', '1.34.4', '1.35.4'];

/** The version of Kubernetes that a go.mod requires: `1.34.4`. */
export function versionIn(goMod: string): string {
  const [, version] = /^\s*(?:require )?k8s\.io\/kubernetes v(\S+)/m.exec(goMod) ?? [];
  if (version === undefined) throw new Error('go.mod of test/control-plane requires no k8s.io/kubernetes: restore it');
  return version;
}

/** All versions that are tested, oldest first; `own`, which is built anyway, in place of what is pinned of the same minor. */
export function testedVersions(own: string): string[] {
  const others = pinned.filter((version) => minorOf(version) !== minorOf(own));
  return [...others, own].sort((a, b) => minorOf(a) - minorOf(b));
}

/**
 * Reads `1.32,1.34` or `1.32.13`: of a minor version, the patch that is tested.
 *
 * @throws {InvalidArgumentError} for what is no version, or none that can be built.
 */
export function parseVersions(own: string): (text: string) => string[] {
  const tested = testedVersions(own);
  return (text) =>
    text.split(',').map((word) => {
      const [, minor, patch] = /^v?1\.(\d+)(?:\.(\d+))?$/.exec(word.trim()) ?? [];
      if (minor === undefined) throw new InvalidArgumentError('Write versions such as 1.32,1.34.4.');
      if (Number(minor) < oldestMinor) {
        throw new InvalidArgumentError(
          `The control plane can not be built of versions before 1.${oldestMinor}; test/versions/adaptations.ts says what differs.`,
        );
      }
      if (patch !== undefined) return `1.${minor}.${patch}`;
      const known = tested.find((version) => minorOf(version) === Number(minor));
      if (known === undefined) {
        throw new InvalidArgumentError(`Name the patch of 1.${minor}; without one, there are ${tested.join(', ')}.`);
      }
      return known;
    });
}
