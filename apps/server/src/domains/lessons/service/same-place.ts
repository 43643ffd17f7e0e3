/** For domains above that bring lessons in: what is there already is not added twice. */
export { placesTaken } from '../queries/same-place.ts';
