/** The purpose of a key in a profile. */
export type KeyRole = 'valid' | 'deleted' | 'depleted' | 'foreign';

/** The changes to keys and balances that a profile can describe under `setup`. */
export const setupActions = ['createKey', 'deleteKey', 'topUp', 'drain'] as const;

export type SetupAction = (typeof setupActions)[number];

/** The formats of times in the parameters of billing-type endpoints. */
export const timeFormats = ['unix-seconds', 'unix-millis', 'iso-date', 'iso-datetime'] as const;

export type TimeFormat = (typeof timeFormats)[number];
