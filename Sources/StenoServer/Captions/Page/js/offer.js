import { requestJSON, setKey } from "./access.js";
import { open } from "./dialogs.js";
import { byId } from "./dom.js";
import { INTERFACES } from "./i18n.js";

/** The pause between two attempts, in milliseconds. */
const PAUSE = 2000;

/**
 * What the server offers. It asks for the key until it is right, and asks a server that does not answer, or fails, again:
 * otherwise the page would lack its history for as long as it is open.
 *
 * @param onTrouble Called with whether the server does not answer now.
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
        // It refuses for good, as a proxy may: what needs no server still works.
        onTrouble(false);
        return { languages: Object.keys(INTERFACES), history: false, speakers: false };
      } else {
        onTrouble(true);
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
      }
    }
  }
}
