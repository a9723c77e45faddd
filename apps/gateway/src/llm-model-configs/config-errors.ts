const INVALID_ID = { 422: 'An id is not a UUID' };

/** What the routes of model configs answer with, for the API document. */
export const READ_ERRORS = { 403: "The configs are another's", ...INVALID_ID };
export const FIND_ERRORS = { ...READ_ERRORS, 404: 'There is no such config' };
export const CREATE_ERRORS = {
  403: "The configs are another's",
  404: 'There is no such user or group',
  422: 'A field or an id is not valid, or base_url leads to an internal address',
};
export const UPDATE_ERRORS = {
  ...CREATE_ERRORS,
  404: 'There is no such config',
  409: 'The config has another version than `expected_version`',
};
