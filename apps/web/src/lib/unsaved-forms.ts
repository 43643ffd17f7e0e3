/** Forms on the screen that hold words which are nowhere else. */
export const unsavedForms = new Set<object>();
