package plugfest.agent;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.net.URI;
import org.erdtman.jcs.JsonCanonicalizer;

/** Signs cards, which the SDK cannot do, with a key that lives as long as the process. */
@Singleton
public class CardSigner {

    static final String KEYS_PATH = "/.well-known/jwks.json";

    /** A JWS over a card, without its payload. */
    record Made(String protectedHeader, String signature) {
    }

    private final ECKey key;

    CardSigner() throws JOSEException {
        key = new ECKeyGenerator(Curve.P_256)
                .keyID("lab")
                .keyUse(KeyUse.SIGNATURE)
                .algorithm(JWSAlgorithm.ES256)
                .generate();
    }

    /** Signs a card as the SDK writes it, in the form of RFC 8785 (A2A 1.0 section 8.4.1). */
    Made sign(String card) {
        try {
            JWSHeader header = new JWSHeader.Builder(JWSAlgorithm.ES256)
                    .type(JOSEObjectType.JOSE)
                    .keyID(key.getKeyID())
                    .jwkURL(URI.create(Cards.baseUrl(Main.flags) + KEYS_PATH))
                    .build();
            JWSObject signed = new JWSObject(header, new Payload(new JsonCanonicalizer(card).getEncodedUTF8()));
            signed.sign(new ECDSASigner(key));
            return new Made(signed.getHeader().toBase64URL().toString(), signed.getSignature().toString());
        } catch (IOException | JOSEException unforeseen) {
            throw new IllegalStateException("the card cannot be signed", unforeseen);
        }
    }

    /** JWK set with the public key. */
    String keys() {
        return new JWKSet(key).toString();
    }
}
