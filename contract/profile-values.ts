/** The purpose of a key in a profile. */
export type KeyRole = 'valid' | 'deleted' | 'depleted' | 'foreign';

/** What a profile can state how to do at its gateway. */
export const setupActions = ['createKey', 'deleteKey', 'topUp', 'drain'] as const;

export type SetupAction = (typeof setupActions)[number];

/** The formats of times in the parameters of billing-type endpoints. */
export const timeFormats = ['unix-seconds', 'unix-millis', 'iso-date', 'iso-datetime'] as const;

export type TimeFormat = (typeof timeFormats)[number];
