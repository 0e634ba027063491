/** The one door to the package that draws at random and shrinks what it drew. */
export { type Arbitrary, default as fc } from 'fast-check';
