/** An id of a type within its BTF; 0 is void. */
export type BtfId = number;

export interface BtfMember {
  /** Empty for an anonymous struct or union. */
  readonly name: string;
  readonly type: BtfId;
  readonly bitOffset: number;
  /** How many bits it has; 0 where it is no bit field. */
  readonly bitFieldSize: number;
}

export interface BtfEnumerator {
  readonly name: string;
  readonly value: bigint;
}

export interface BtfInteger {
  readonly kind: 'int';
  readonly name: string;
  readonly size: number;
  readonly signed: boolean;
  readonly bool: boolean;
  /** Less than 8 * size for a bit field of old compilers. */
  readonly bits: number;
}

export interface BtfArray {
  readonly kind: 'array';
  readonly name: '';
  readonly element: BtfId;
  readonly count: number;
}

export interface BtfComposite {
  readonly kind: 'struct' | 'union';
  readonly name: string;
  readonly size: number;
  readonly members: readonly BtfMember[];
}

export interface BtfEnum {
  readonly kind: 'enum';
  readonly name: string;
  readonly size: number;
  readonly signed: boolean;
  readonly values: readonly BtfEnumerator[];
}

/** Names another type: what it is called says how. */
export interface BtfReference {
  readonly kind:
    | 'pointer'
    | 'typedef'
    | 'volatile'
    | 'const'
    | 'restrict'
    | 'function'
    | 'variable'
    | 'typeTag'
    | 'declarationTag';
  readonly name: string;
  readonly target: BtfId;
}

export interface BtfFloat {
  readonly kind: 'float';
  readonly name: string;
  readonly size: number;
}

export interface BtfOther {
  readonly kind: 'void' | 'forward' | 'prototype' | 'section';
  readonly name: string;
}

export type BtfType =
  BtfInteger | BtfArray | BtfComposite | BtfEnum | BtfReference | BtfFloat | BtfOther;

export type BtfKind = BtfType['kind'];
