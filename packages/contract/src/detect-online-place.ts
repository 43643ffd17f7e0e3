/** The place of a lesson until its Google Meet link has been created with the calendar event. */
export const GOOGLE_MEET = 'Google Meet';

const LINK = /^https?:\/\//i;
/** Words that indicate a lesson online or by phone. */
const ONLINE_WORDS =
  /\b(online|virtual|remote|video|zoom|skype|google meet|teams|facetime|phone|telephone)\b/i;

/** Whether the place of a lesson is a meeting link. */
export const isMeetingLink = (place: string | null): boolean => LINK.test(place ?? '');

/** Whether a lesson takes place online. Without a place, it is assumed to be in person. */
export const isOnlinePlace = (place: string | null): boolean =>
  isMeetingLink(place) || ONLINE_WORDS.test(place ?? '');
