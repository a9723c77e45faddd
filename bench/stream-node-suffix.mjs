/**
 * Module hook: tsx takes the end of `call-model.node` for the extension of a native addon and does not look
 * for the `.ts` file.
 */
export function resolve(specifier, context, next) {
  const isGraphNode = specifier.startsWith('.') && specifier.endsWith('.node');
  return next(isGraphNode ? `${specifier}.ts` : specifier, context);
}
