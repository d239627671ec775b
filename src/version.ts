declare const EDGELINE_VERSION: string | undefined;
declare const EDGELINE_REVISION: string | undefined;

/** The version of this build; `0.0.0-source` when run from its sources. */
export const version = typeof EDGELINE_VERSION === 'string' ? EDGELINE_VERSION : '0.0.0-source';

/** The commit it was built from, where the build was told. */
export const revision = typeof EDGELINE_REVISION === 'string' ? EDGELINE_REVISION : 'unknown';
