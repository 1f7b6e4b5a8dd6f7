package lab

import (
	"encoding/base64"
	"errors"
	"strings"

	"google.golang.org/protobuf/proto"

	"plugfest/agent/lab/itk"
)

// InstructionMediaType marks a part that holds an instruction of the interop test kit.
const InstructionMediaType = "application/x-protobuf"

const instructionFilename = "instruction.bin"

func instructionPart(instruction *itk.Instruction) (Part, error) {
	encoded, err := proto.Marshal(instruction)
	return Part{Kind: RawPart, Raw: encoded, MediaType: InstructionMediaType, Filename: instructionFilename}, err
}

// findInstruction gives the first instruction among the parts: raw bytes that say so, or base64 in a text. The error is
// for bytes that say so and are none.
func findInstruction(parts []Part) (*itk.Instruction, error) {
	for _, part := range parts {
		switch part.Kind {
		case RawPart:
			if part.MediaType != InstructionMediaType && part.Filename != instructionFilename {
				continue
			}
			if instruction := decode(part.Raw); instruction != nil {
				return instruction, nil
			}
			return nil, errors.New("the part is no itk.Instruction with a step")
		case TextPart:
			if instruction := decodeText(part.Text); instruction != nil {
				return instruction, nil
			}
		}
	}
	return nil, nil
}

func decode(encoded []byte) *itk.Instruction {
	instruction := &itk.Instruction{}
	if proto.Unmarshal(encoded, instruction) != nil || instruction.GetStep() == nil {
		return nil
	}
	return instruction
}

// decodeText is strict, since plain words can be base64 too: only an exact image of the message counts.
func decodeText(text string) *itk.Instruction {
	encoded, err := base64.StdEncoding.Strict().DecodeString(strings.TrimSpace(text))
	if err != nil {
		return nil
	}
	instruction := decode(encoded)
	if instruction == nil {
		return nil
	}
	again, err := proto.MarshalOptions{Deterministic: true}.Marshal(instruction)
	if err != nil || string(again) != string(encoded) {
		return nil
	}
	return instruction
}
