#include "textflag.h"

// Products and sums apart, never fused: the same bits as Go's.

// add64, add32 and add8 differ in what a register holds and in how many of them the outputs take: V names a
// register, Z or Y, and at is the offset of its outputs in bytes.

#define ARGUMENTS \
	MOVQ out+0(FP), DI; \
	MOVQ weight+8(FP), SI; \
	MOVQ stride+16(FP), DX; \
	MOVQ x+24(FP), R8; \
	MOVQ used+32(FP), R9; \
	MOVQ n+40(FP), CX

// Four inputs into V4 to V7, and where their columns begin into R10 to R13.
#define FOUR(V4, V5, V6, V7) \
	MOVLQSX 0(R9), R10; \
	MOVLQSX 4(R9), R11; \
	MOVLQSX 8(R9), R12; \
	MOVLQSX 12(R9), R13; \
	VBROADCASTSS (R8)(R10*4), V4; \
	VBROADCASTSS (R8)(R11*4), V5; \
	VBROADCASTSS (R8)(R12*4), V6; \
	VBROADCASTSS (R8)(R13*4), V7; \
	IMULQ DX, R10; \
	ADDQ SI, R10; \
	IMULQ DX, R11; \
	ADDQ SI, R11; \
	IMULQ DX, R12; \
	ADDQ SI, R12; \
	IMULQ DX, R13; \
	ADDQ SI, R13

// Their products, added up in pairs, onto the outputs in V.
#define ADDFOUR(at, V, V4, V5, V6, V7, V8, V9, V10, V11) \
	VMULPS at(R10), V4, V8; \
	VMULPS at(R11), V5, V9; \
	VMULPS at(R12), V6, V10; \
	VMULPS at(R13), V7, V11; \
	VADDPS V9, V8, V8; \
	VADDPS V11, V10, V10; \
	VADDPS V10, V8, V8; \
	VADDPS V8, V, V

// One input into V4, and where its column begins into R10.
#define ONE(V4) \
	MOVLQSX (R9), R10; \
	VBROADCASTSS (R8)(R10*4), V4; \
	IMULQ DX, R10; \
	ADDQ SI, R10

#define ADDONE(at, V, V4, V8) \
	VMULPS at(R10), V4, V8; \
	VADDPS V8, V, V

// func add64(out, weight *float32, stride int, x *float32, used *int32, n int)
TEXT ·add64(SB), NOSPLIT, $0-48
	ARGUMENTS
	VMOVUPS 0(DI), Z0
	VMOVUPS 64(DI), Z1
	VMOVUPS 128(DI), Z2
	VMOVUPS 192(DI), Z3

four:
	CMPQ CX, $4
	JLT one
	FOUR(Z4, Z5, Z6, Z7)
	ADDFOUR(0, Z0, Z4, Z5, Z6, Z7, Z8, Z9, Z10, Z11)
	ADDFOUR(64, Z1, Z4, Z5, Z6, Z7, Z8, Z9, Z10, Z11)
	ADDFOUR(128, Z2, Z4, Z5, Z6, Z7, Z8, Z9, Z10, Z11)
	ADDFOUR(192, Z3, Z4, Z5, Z6, Z7, Z8, Z9, Z10, Z11)
	ADDQ $16, R9
	SUBQ $4, CX
	JMP four

one:
	TESTQ CX, CX
	JZ done
	ONE(Z4)
	ADDONE(0, Z0, Z4, Z8)
	ADDONE(64, Z1, Z4, Z8)
	ADDONE(128, Z2, Z4, Z8)
	ADDONE(192, Z3, Z4, Z8)
	ADDQ $4, R9
	DECQ CX
	JMP one

done:
	VMOVUPS Z0, 0(DI)
	VMOVUPS Z1, 64(DI)
	VMOVUPS Z2, 128(DI)
	VMOVUPS Z3, 192(DI)
	VZEROUPPER
	RET

// func add32(out, weight *float32, stride int, x *float32, used *int32, n int)
TEXT ·add32(SB), NOSPLIT, $0-48
	ARGUMENTS
	VMOVUPS 0(DI), Y0
	VMOVUPS 32(DI), Y1
	VMOVUPS 64(DI), Y2
	VMOVUPS 96(DI), Y3

four:
	CMPQ CX, $4
	JLT one
	FOUR(Y4, Y5, Y6, Y7)
	ADDFOUR(0, Y0, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11)
	ADDFOUR(32, Y1, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11)
	ADDFOUR(64, Y2, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11)
	ADDFOUR(96, Y3, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11)
	ADDQ $16, R9
	SUBQ $4, CX
	JMP four

one:
	TESTQ CX, CX
	JZ done
	ONE(Y4)
	ADDONE(0, Y0, Y4, Y8)
	ADDONE(32, Y1, Y4, Y8)
	ADDONE(64, Y2, Y4, Y8)
	ADDONE(96, Y3, Y4, Y8)
	ADDQ $4, R9
	DECQ CX
	JMP one

done:
	VMOVUPS Y0, 0(DI)
	VMOVUPS Y1, 32(DI)
	VMOVUPS Y2, 64(DI)
	VMOVUPS Y3, 96(DI)
	VZEROUPPER
	RET

// func add8(out, weight *float32, stride int, x *float32, used *int32, n int)
TEXT ·add8(SB), NOSPLIT, $0-48
	ARGUMENTS
	VMOVUPS 0(DI), Y0

four:
	CMPQ CX, $4
	JLT one
	FOUR(Y4, Y5, Y6, Y7)
	ADDFOUR(0, Y0, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11)
	ADDQ $16, R9
	SUBQ $4, CX
	JMP four

one:
	TESTQ CX, CX
	JZ done
	ONE(Y4)
	ADDONE(0, Y0, Y4, Y8)
	ADDQ $4, R9
	DECQ CX
	JMP one

done:
	VMOVUPS Y0, 0(DI)
	VZEROUPPER
	RET

// func dot8(w, x *float32, n int, s *[8]float32)
TEXT ·dot8(SB), NOSPLIT, $0-32
	MOVQ w+0(FP), SI
	MOVQ x+8(FP), DI
	MOVQ n+16(FP), CX
	MOVQ s+24(FP), DX
	VMOVUPS (DX), Y0

next:
	VMOVUPS (SI), Y1
	VMULPS (DI), Y1, Y1
	VADDPS Y1, Y0, Y0
	ADDQ $32, SI
	ADDQ $32, DI
	DECQ CX
	JNZ next
	VMOVUPS Y0, (DX)
	VZEROUPPER
	RET

// func relu8(x *float32, n int)
TEXT ·relu8(SB), NOSPLIT, $0-16
	MOVQ x+0(FP), DI
	MOVQ n+8(FP), CX
	VXORPS Y1, Y1, Y1

next:
	VMOVUPS (DI), Y0
	VMAXPS Y1, Y0, Y0
	VMOVUPS Y0, (DI)
	ADDQ $32, DI
	DECQ CX
	JNZ next
	VZEROUPPER
	RET
