/** The purpose of a key in a profile. */
export type KeyRole = 'valid' | 'deleted' | 'depleted' | 'foreign';

/** The formats of times in the parameters of billing-type endpoints. */
export const timeFormats = ['unix-seconds', 'unix-millis', 'iso-date', 'iso-datetime'] as const;

export type TimeFormat = (typeof timeFormats)[number];
