import { requestJSON, setKey } from "./access.js";
import { open } from "./dialogs.js";
import { byId } from "./dom.js";
import { INTERFACES } from "./i18n.js";

/** The delay between attempts, in milliseconds. */
const PAUSE = 2000;

/**
 * What the server offers. Asks for the key until it is right, and retries while the server fails or does not answer;
 * otherwise the page would have no history until it is reloaded.
 *
 * @param onTrouble Called with whether the server is failing or not answering.
 */
export async function serverOffer(onTrouble) {
  for (;;) {
    try {
      const offer = await requestJSON("v1/steno/captions");
      onTrouble(false);
      return offer;
    } catch (error) {
      if (error.status === 401) {
        onTrouble(false);
        await open("key");
        setKey(byId("key-value").value);
      } else if (error.status >= 400 && error.status < 500) {
        // A permanent refusal, for example by a proxy. Features that need no server still work.
        onTrouble(false);
        return { languages: Object.keys(INTERFACES), history: false, speakers: false };
      } else {
        onTrouble(true);
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
      }
    }
  }
}
