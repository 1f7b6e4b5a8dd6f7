package plugfest.agent;

import com.google.protobuf.InvalidProtocolBufferException;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.a2aproject.sdk.spec.FilePart;
import org.a2aproject.sdk.spec.FileWithBytes;
import org.a2aproject.sdk.spec.Part;
import org.a2aproject.sdk.spec.TextPart;
import plugfest.itk.Instruction;

/** The interop test kit's instruction, in and out of message parts. */
final class Itk {

    private static final String MEDIA_TYPE = "application/x-protobuf";
    private static final String FILE_NAME = "instruction.bin";

    private Itk() {}

    /** The first part that holds an instruction: a file of its kind, or base64 in a text. */
    static Optional<Instruction> find(List<Part<?>> parts) {
        return parts.stream().map(Itk::read).flatMap(Optional::stream).findFirst();
    }

    static Part<?> part(Instruction instruction) {
        return new FilePart(new FileWithBytes(MEDIA_TYPE, FILE_NAME, instruction.toByteArray()));
    }

    private static Optional<Instruction> read(Part<?> part) {
        if (part instanceof FilePart file
                && file.file() instanceof FileWithBytes raw
                && (MEDIA_TYPE.equals(raw.mimeType()) || FILE_NAME.equals(raw.name()))) {
            // Without a step, where it is none: that fails its task.
            return Optional.of(decode(raw.bytes()).orElse(Instruction.getDefaultInstance()));
        }
        return part instanceof TextPart text ? decode(text.text().strip()) : Optional.empty();
    }

    /** A text can be base64 by chance; it is an instruction where it has a step and nothing unknown. */
    private static Optional<Instruction> decode(String base64) {
        try {
            Instruction instruction = Instruction.parseFrom(Base64.getDecoder().decode(base64));
            boolean whole = instruction.getStepCase() != Instruction.StepCase.STEP_NOT_SET
                    && instruction.getUnknownFields().asMap().isEmpty();
            return whole ? Optional.of(instruction) : Optional.empty();
        } catch (IllegalArgumentException | InvalidProtocolBufferException other) {
            return Optional.empty();
        }
    }
}
