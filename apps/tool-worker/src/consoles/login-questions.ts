/** Lines on which a console waits for a user name or a password. Nothing else may be typed there. */
export const LOGIN = /^(?:[\w.-]+ )?(?:user\s?name|login)\s*:$/i;
export const PASSWORD = /^(?:[\w.@'-]+ ){0,3}password\s*:$/i;
