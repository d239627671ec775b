import type { Backup } from '../../../src/shadow/apiserver/apiserver.ts';
import type { World } from '../../../src/shadow/world/world.ts';

/** Who wrote what is there again after etcd was restored. */
export const ETCD = 'etcd';

/** The people who look after etcd. */
export interface Etcd {
  /** Copies everything; then so many revisions pass, as others write. */
  backUp(revisions: number): void;
  /** Everything is as it was copied; then so many revisions pass. */
  restore(revisions: number): void;
}

export function createEtcd({ apiserver, note }: Pick<World, 'apiserver' | 'note'>): Etcd {
  let backup: Backup | undefined;
  return {
    backUp(revisions) {
      backup = apiserver.backup();
      apiserver.advance(revisions);
    },
    restore(revisions) {
      if (!backup) return note('there is no backup');
      apiserver.restore(backup, ETCD);
      apiserver.advance(revisions);
    },
  };
}
