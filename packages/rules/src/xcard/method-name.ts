export const extendedCardMethod = 'GetExtendedAgentCard';
/** Names that can mean nothing else, with those of older versions in front. */
export const similarMethod = /^(?:agent\/)?(?:get)?(?:authenticated)?extended(?:agent)?card$/i;
