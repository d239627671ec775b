import type { AlwaysInvariant, FinalInvariant } from './invariant.ts';

export const alwaysInvariants: readonly AlwaysInvariant[] = [];
export const finalInvariants: readonly FinalInvariant[] = [];
