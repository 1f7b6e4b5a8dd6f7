package plugfest.agent;

import java.util.LinkedHashMap;
import java.util.Map;
import org.a2aproject.sdk.compat03.spec.A2AClientHTTPError_v0_3;
import org.a2aproject.sdk.compat03.spec.JSONRPCError_v0_3;
import org.a2aproject.sdk.spec.A2AClientHTTPError;
import org.a2aproject.sdk.spec.A2AError;
import org.a2aproject.sdk.spec.A2AErrorCodes;

/** What went wrong with a call, as the {@code error} of a drive result. */
final class Refusal {

    private static final int MESSAGE_LIMIT = 1000;

    private Refusal() {}

    /** The SDK's client wraps what the server said; the first error of A2A in the chain of causes is the answer. */
    static Map<String, Object> of(Throwable problem, String binding) {
        for (Throwable cause = problem; cause != null; cause = cause.getCause()) {
            if (cause instanceof A2AError error) {
                return described(error.getClass(), code(error.getCode(), binding), error.getMessage());
            }
            if (cause instanceof JSONRPCError_v0_3 error) {
                return described(error.getClass(), code(error.getCode(), binding), error.getMessage());
            }
            if (cause instanceof A2AClientHTTPError error) {
                return described(error.getClass(), error.getCode(), error.getMessage());
            }
            if (cause instanceof A2AClientHTTPError_v0_3 error) {
                return described(error.getClass(), error.getCode(), error.getMessage());
            }
        }
        return described(problem.getClass(), null, problem.getMessage());
    }

    private static Integer code(Integer code, String binding) {
        if (code == null || binding.equals(Flags.GRPC)) {
            return null;
        }
        if (!binding.equals(Flags.HTTP_JSON)) {
            return code;
        }
        A2AErrorCodes known = A2AErrorCodes.fromCode(code);
        return known == null ? null : Integer.valueOf(known.httpCode());
    }

    private static Map<String, Object> described(Class<?> kind, Integer code, String message) {
        Map<String, Object> error = new LinkedHashMap<>();
        error.put("name", kind.getSimpleName().replace("_v0_3", ""));
        if (code != null) {
            error.put("code", code);
        }
        String text = message == null ? "" : message;
        error.put("message", text.substring(0, Math.min(text.length(), MESSAGE_LIMIT)));
        return error;
    }
}
